#!/usr/bin/env python3
"""An agent for all three games in plain Python, to be copied and changed.

    dealt match hearts 'external:command="python3 agents/examples/simple_agent.py"' random

Each question holds all that the seat knows, so nothing is remembered between two questions: an answer that depends
on the question alone makes runs that can be repeated. docs/external-agents.md describes the protocol. Standard
output belongs to it; print to standard error to find out what goes on.
"""

import json
import sys

RANKS = "23456789TJQKA"
PENALTIES = dict(zip("A23456789TJQK", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]))


def rank(card):
    return RANKS.index(card[0])


def two_ten_jack(rules, seat, view, legal):
    """Takes tricks that are worth something as cheaply as it can, and gives the others away."""
    worth = rules["points"]
    if "as-trump" in legal:
        return "as-trump"
    power = lambda card: 100 if card == "AS" else rank(card) + 50 * (card[1] == "H")
    trick = view["tricks"][-1] if view["tricks"] else None
    if trick is None or trick["winner"] is not None:
        return min(legal, key=lambda card: (abs(worth.get(card, 0)), power(card)))
    led = trick["cards"][0]
    wins = lambda card: power(card) > power(led) and (card[1] == led[1] or power(card) >= 50)
    gain = lambda card: worth.get(card, 0) + worth.get(led, 0)
    return max(legal, key=lambda card: (gain(card) if wins(card) else -gain(card), -power(card)))


def cancellation_hearts(rules, seat, view, legal):
    """Stays below the card that wins, and gets rid of what is dangerous where it cannot win."""
    if view["phase"] == "moon":
        return "moon-add"
    danger = lambda card: 100 if card == "QS" else rank(card) + 20 * (card[1] == "H")
    if view["phase"] == "pass":
        # Cards are picked in ascending order: one is passed over as long as enough worse ones are above it.
        wanted = sorted(legal, key=danger)[-view["picks_left"]:]
        return min(wanted, key=legal.index)
    trick = view["trick"]["cards"]
    if not trick:
        return min(legal, key=danger)
    if legal[0][1] != trick[0][1]:
        return max(legal, key=danger)
    highest = max(rank(card) for card in trick if card[1] == trick[0][1])
    below = [card for card in legal if rank(card) < highest]
    return max(below, key=rank) if below else min(legal, key=danger)


def three_thirteen(rules, seat, view, legal):
    """Takes a discard that goes with two of its cards, throws the dearest card that is in no meld, and goes out."""
    for word in ("go-out-all", "go-out"):
        if word in legal:
            return word
    if "draw-stock" in legal or "draw-discard" in legal:
        top = view["pile"][0] if view["pile"] else None
        friends = [card for card in view["hand"] if top and card[0] == top[0]]
        takes = top and (top[0] == view["wild"] or len(friends) >= 2)
        return "draw-discard" if takes and "draw-discard" in legal or "draw-stock" not in legal else "draw-stock"
    melded = [card for meld in view["melds"] for card in meld]
    ranks = [card[0] for card in view["hand"]]
    spare = lambda card: card not in melded and card[0] != view["wild"]
    return max(legal, key=lambda card: (spare(card), ranks.count(card[0]) == 1, PENALTIES[card[0]], card))


GAMES = {
    "two-ten-jack": two_ten_jack,
    "cancellation-hearts": cancellation_hearts,
    "three-thirteen": three_thirteen,
}


def main():
    choose = rules = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"protocol": 1, "name": "simple"}
        elif message["type"] == "game":
            choose, rules = GAMES[message["game"]], message["rules"]
            continue
        elif message["type"] == "move":
            move = choose(rules, message["seat"], message["view"], message["legal"])
            answer = {"id": message["id"], "move": move}
        else:
            continue  # something that a later version says
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
