"use strict";
// Steps through the games of the page. Every deal is data: the hands as dealt, and for each move what it changed
// (see `DealScene::data` in scene.rs). Positions are made by playing the changes from the start of the deal.
(function () {
  var SUITS = { C: "♣", D: "♦", S: "♠", H: "♥" };
  var ORDER = "CDSH", RANKS = "23456789TJQKA";

  function make(tag, name, text) {
    var node = document.createElement(tag);
    if (name) node.className = name;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function pretty(move) {
    if (!/^[2-9TJQKA][CDSH]$/.test(move)) return move;
    return (move[0] === "T" ? "10" : move[0]) + SUITS[move[1]] + "\ufe0e";
  }
  function card(name, mark) {
    var red = name[1] === "H" || name[1] === "D";
    var node = make("span", "card" + (red ? " red" : "") + (mark ? " " + mark : ""));
    node.appendChild(make("span", "", name[0] === "T" ? "10" : name[0]));
    node.appendChild(make("span", "", SUITS[name[1]] + "\ufe0e"));
    return node;
  }
  function back() {
    var node = make("span", "card back");
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", "face down");
    return node;
  }
  function list(text) { return text ? text.split(" ") : []; }
  function seated(text) {
    return list(text).map(function (item) {
      return { seat: item.length > 2 ? Number(item.slice(0, -2)) : -1, card: item.slice(-2) };
    });
  }
  function sorted(hand) {
    var key = function (name) { return ORDER.indexOf(name[1]) * 13 + RANKS.indexOf(name[0]); };
    return hand.slice().sort(function (a, b) { return key(a) - key(b); });
  }

  // How things stand after so many moves of a deal.
  function position(deal, count) {
    var at = { hands: deal.hands.map(list), table: deal.upcard ? [{ seat: -1, card: deal.upcard }] : [],
      left: deal.left, scores: deal.hands.map(function () { return 0; }), step: null };
    for (var i = 0; i < count; i++) {
      var step = deal.steps[i];
      seated(step[4]).forEach(function (lost) {
        var hand = at.hands[lost.seat];
        hand.splice(hand.indexOf(lost.card), 1);
      });
      seated(step[3]).forEach(function (gained) { at.hands[gained.seat].push(gained.card); });
      at.table = seated(step[2]);
      at.left = step[5];
      if (step[6]) at.scores = step[6];
      at.step = step;
    }
    return at;
  }

  function seatNode(game, at, seat) {
    var moved = at.step && at.step[0] === seat;
    var node = make("div", "seat" + (moved ? " moves-now" : ""));
    var title = make("h4", "", "Seat " + seat + " ");
    title.appendChild(make("bdi", "", game.agents[seat]));
    title.appendChild(document.createTextNode(" · " + at.scores[seat] + (at.scores[seat] === 1 ? " point" : " points") + (moved ? " · has just moved" : "")));
    node.appendChild(title);
    var fresh = at.step ? seated(at.step[3]).filter(function (gained) { return gained.seat === seat; }) : [];
    fresh = fresh.map(function (gained) { return gained.card; });
    var cards = make("div", "cards");
    sorted(at.hands[seat]).forEach(function (name) {
      var place = fresh.indexOf(name);
      if (place >= 0) fresh.splice(place, 1);
      cards.appendChild(card(name, place >= 0 ? "new" : ""));
    });
    node.appendChild(cards);
    return node;
  }

  function tableNode(deal, at) {
    var node = make("div", "table");
    node.appendChild(make("h4", "", deal.upcard ? "On the table: the top discard and the " + deal.rest : "On the table"));
    var cards = make("div", "cards");
    at.table.forEach(function (laid, place) {
      var last = at.step && place === at.table.length - 1 && at.step[1] === laid.card;
      var holder = make("span", "laid");
      holder.appendChild(card(laid.card, last ? "played" : ""));
      holder.appendChild(make("span", "", laid.seat >= 0 ? "seat " + laid.seat : "discard"));
      cards.appendChild(holder);
    });
    if (at.left > 0) {
      var holder = make("span", "laid");
      holder.appendChild(back());
      holder.appendChild(make("span", "", deal.rest + " " + at.left));
      cards.appendChild(holder);
    }
    node.appendChild(cards);
    return node;
  }

  function thoughtNode(step) {
    var node = make("div", "thought");
    node.appendChild(make("h4", "", "What the agent thought"));
    var note = step && step[7];
    if (!note) {
      node.appendChild(make("p", "note", step ? "It says nothing about this move." : "The cards are dealt."));
    } else if (note.exact !== undefined) {
      node.appendChild(make("p", "", pretty(String(note.exact)) + " is best, worked out to the end."));
    } else if (Array.isArray(note.moves)) {
      node.appendChild(weights(note, step[1]));
      var more = "Looked at " + note.worlds + " worlds.";
      if (Array.isArray(note.line)) more += " Expects " + note.line.map(pretty).join(" ") + ".";
      if (note.kept !== undefined) more += " Kept to " + pretty(String(note.kept)) + ": none is surely better.";
      node.appendChild(make("p", "note", more));
    } else {
      node.appendChild(make("pre", "", JSON.stringify(note, null, 1)));
    }
    return node;
  }
  function weights(note, chosen) {
    var table = make("table");
    var head = table.createTHead().insertRow();
    ["move", "tried", "value"].forEach(function (name) { head.appendChild(make("th", "", name)); });
    var most = Math.max.apply(null, note.moves.map(function (row) { return row.visits || 0; }).concat(1));
    var body = table.createTBody();
    note.moves.forEach(function (row) {
      var line = body.insertRow();
      if (row.move === chosen) line.className = "chosen";
      line.insertCell().textContent = (row.move === chosen ? "▸ " : "") + pretty(String(row.move));
      var cell = line.insertCell();
      cell.textContent = row.visits;
      var bar = make("span", "weight");
      bar.style.width = 100 * (row.visits || 0) / most + "%";
      cell.appendChild(bar);
      line.insertCell().textContent = String(row.value).replace("-", "−");
    });
    return table;
  }

  function sentence(game, deal, number, count) {
    var step = count ? deal.steps[count - 1] : null;
    var where = "Deal " + (number + 1) + ", move " + count + " of " + deal.steps.length + ": ";
    if (!step) return where + "dealt by seat " + deal.dealer + ".";
    return where + "seat " + step[0] + " (" + game.agents[step[0]] + ") — " + pretty(step[1]) + ".";
  }

  function start(article) {
    var game = JSON.parse(article.querySelector("script.scenes").textContent);
    var place = article.querySelector(".player");
    if (!game.deals.length) return;
    var number = 0, count = 0;
    var explains = game.deals.some(function (deal) { return deal.steps.some(function (step) { return step[7]; }); });
    var controls = make("div", "controls"), said = make("p", "said");
    var scene = make("div", explains ? "scene explained" : "scene");
    said.setAttribute("aria-live", "polite");
    var choice = make("select");
    choice.setAttribute("aria-label", "Deal");
    game.deals.forEach(function (_, index) { choice.add(new Option("Deal " + (index + 1), index)); });
    var buttons = [["«", "To the first move", -Infinity], ["‹", "Back", -1], ["›", "Forward", 1], ["»", "To the last move", Infinity]];
    buttons = buttons.map(function (button) {
      var node = make("button", "", button[0]);
      node.type = "button";
      node.setAttribute("aria-label", button[1]);
      node.addEventListener("click", function () { go(count + button[2]); });
      return node;
    });
    var slider = make("input");
    slider.type = "range";
    slider.min = 0;
    slider.setAttribute("aria-label", "Move");
    slider.addEventListener("input", function () { go(Number(slider.value)); });
    choice.addEventListener("change", function () { number = Number(choice.value); go(0); });

    function go(to) {
      var deal = game.deals[number];
      count = Math.max(0, Math.min(deal.steps.length, to));
      var at = position(deal, count);
      slider.max = deal.steps.length;
      slider.value = count;
      buttons.forEach(function (button, index) { button.disabled = index < 2 ? count === 0 : count === deal.steps.length; });
      said.textContent = sentence(game, deal, number, count);
      var board = make("div", "board");
      board.appendChild(tableNode(deal, at));
      at.hands.forEach(function (_, seat) { board.appendChild(seatNode(game, at, seat)); });
      scene.replaceChildren(board);
      if (explains) scene.appendChild(thoughtNode(at.step));
    }
    place.addEventListener("keydown", function (event) {
      if (event.target === slider || event.target === choice) return;
      if (event.key === "ArrowRight") go(count + 1);
      if (event.key === "ArrowLeft") go(count - 1);
    });
    [choice].concat(buttons, [slider]).forEach(function (node) { controls.appendChild(node); });
    [controls, said, scene].forEach(function (node) { place.appendChild(node); });
    go(0);
  }
  Array.prototype.forEach.call(document.querySelectorAll("article.game"), start);
})();
