#!/bin/sh
# An agent that plays the lowest legal move, and misbehaves as its first argument says, if in play from the question on
# whose number its second argument is (the third if it has none).
fault=$1
at=${2:-3}
asked=0

say() { printf '%s\n' "$1"; }

case $fault in
crash-at-start) echo "cannot find my weights" >&2; exit 3 ;;
silent-start) exec sleep 98765 ;;
closes-output-at-start) exec >&-; exec sleep 98765 ;;
says-too-much-at-start) say "Welcome to my agent!" ;;
ends-at-start) exit 0 ;;
deaf)
    # Answers without listening, by guesses that are all right.
    say '{"protocol":1}'
    id=1
    while [ $id -lt 100000 ]; do say "{\"id\":$id,\"move\":\"2C\"}"; id=$((id + 1)); done
    exec sleep 98765
    ;;
ignores-signals) trap '' INT TERM HUP ;;
has-a-child) sleep 98766 & ;;
esac

greet() {
    case $fault in
    old-protocol) say '{"protocol":0}' ;;
    no-protocol) say '{"name":"mine"}' ;;
    name-is-a-number) say '{"protocol":1,"name":7}' ;;
    *) say '{"protocol":1,"name":"shell"}' ;;
    esac
}

misbehave() {
    case $fault in
    trapped-silence) trap '' INT TERM HUP; while :; do sleep 1; done ;;
    silence) exec sleep 98765 ;;
    slow) sleep 2 ;;
    stops-itself) kill -STOP $$ ;;
    illegal-move) move=draw-stock; [ "$game" = three-thirteen ] && move=moon-add ;;
    card-not-held) move=$unseen ;;
    no-such-move) move=pass ;;
    move-is-a-number) say "{\"id\":$id,\"move\":7}"; return ;;
    no-move) say "{\"id\":$id}"; return ;;
    no-id) say "{\"move\":\"$move\"}"; return ;;
    old-id) id=$((id - 1)) ;;
    huge-id) id=99999999999999999999999999 ;;
    other-seat) say "{\"id\":$id,\"seat\":7,\"move\":\"$move\"}"; return ;;
    half-a-line) printf '{"id":%s,"mo' "$id"; exec sleep 98765 ;;
    half-a-line-and-gone) printf '{"id":%s,"mo' "$id"; exit 0 ;;
    garbage) say "I think $move is best"; return ;;
    a-list) say "[$id,\"$move\"]"; return ;;
    not-utf8) printf '{"id":%s,"move":"\377\376"}\n' "$id"; return ;;
    controls) printf '\033[2J\007\000 what\n'; return ;;
    empty-line) say ""; return ;;
    deep) printf '%05000d\n' 0 | tr 0 '['; return ;;
    notes-are-text) say "{\"id\":$id,\"move\":\"$move\",\"notes\":\"good\"}"; return ;;
    gives-up) say "{\"id\":$id,\"error\":\"I know no such game\"}"; return ;;
    crash) echo "a bug in line 7" >&2; exit 4 ;;
    killed) kill -KILL $$ ;;
    endless-line) exec tr '\000' x </dev/zero ;;
    flood) exec yes '{"id":1,"move":"2C"}' ;;
    twice) say "{\"id\":$id,\"move\":\"$move\"}" ;;
    noisy) yes "noise" | head -c 1000000 >&2 ;;
    esac
    say "{\"id\":$id,\"move\":\"$move\"}"
}

while read -r line; do
    case $line in
    *'"type":"hello"'*) greet ;;
    *'"type":"game"'*)
        game=${line#*'"game":"'}
        game=${game%%'"'*}
        ;;
    *'"type":"news"'*) [ $fault = restless ] && say '{"id":0}' ;;
    *)
        asked=$((asked + 1))
        id=${line#*'"id":'}
        id=${id%%,*}
        move=${line#*'"legal":["'}
        move=${move%%'"'*}
        last=${line#*'"legal":['}
        last=${last%%']'*}
        last=${last##*,\"}
        last=${last%'"'}
        unseen=${line#*'"unseen":["'}
        unseen=${unseen%%'"'*}
        case $fault-$line in
        restless-*) [ $((asked % 2)) = 1 ] && move=$last ;;
        strict-*'"news"'*) echo "what is news?" >&2; exit 6 ;;
        gaps-*'"moon-add"'* | gaps-*'"go-out-all"'*) move=pass ;;
        esac
        if [ "$asked" -ge "$at" ]; then misbehave; else say "{\"id\":$id,\"move\":\"$move\"}"; fi
        ;;
    esac
done

case $fault in
talks-after-the-end | strict) say "good game" ;;
stays) exec sleep 98766 ;;
restless) exec sleep 98765 ;;
bad-end) exit 5 ;;
esac
