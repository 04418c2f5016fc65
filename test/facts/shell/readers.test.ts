import { describe, expect, it } from "vitest";
import { bash, dotted } from "../effects/judge.ts";

/** Text, commands in the order in which they are found (what is not known is `…`), understanding. */
type Row = readonly [string, readonly string[], string];

describe("a variable that is read takes what the text feeds it", () => {
  it.each<Row>([
    [
      "printf '%s\\n' 'touch a' 'ls b' | while read -r line; do eval \"$line\"; done",
      ["printf %s\\n touch a ls b", "read -r line", "touch a", "read -r line", "ls b"],
      "understood",
    ],
    [
      "printf 'touch a' | while read -r line; do eval \"$line\"; done",
      ["printf touch a", "read -r line", "touch a"],
      "understood",
    ],
    ["echo touch | while read c; do $c q; done", ["echo touch", "read c", "touch q"], "understood"],
    ["while read -r l; do touch \"$l\"; done <<< 'a b'", ["read -r l", "touch a b"], "understood"],
    [
      "while read -r l; do touch \"$l\"; done <<< $'a\\nb'",
      ["read -r l", "touch a", "read -r l", "touch b"],
      "understood",
    ],
    [
      'while IFS= read -r l || [ -n "$l" ]; do touch "$l"; done <<< \' a \'',
      ["read -r l", "[ -n  a  ]", "touch  a "],
      "understood",
    ],
    ["while read -r a b; do touch \"$b\"; done <<< 'x y z'", ["read -r a b", "touch y z"], "understood"],
    [
      'while IFS=, read -r a b c; do touch "$a" "$c"; done <<< \'x,y,z w\'',
      ["read -r a b c", "touch x z w"],
      "understood",
    ],
    [
      "while IFS=: read -r a b; do touch \"$a$b\"; done < <(printf 'x:y\\nv:w\\n')",
      ["printf x:y\\nv:w\\n", "read -r a b", "touch xy", "read -r a b", "touch vw"],
      "understood",
    ],
    [
      "while read -r -d ';' l; do touch \"$l\"; done <<< 'a;b;'",
      ["read -r -d ; l", "touch a", "read -r -d ; l", "touch b", "read -r -d ; l"],
      "understood",
    ],
    [
      "while IFS= read -r -d '' f; do touch \"$f\"; done < <(printf 'a\\0b c\\0')",
      ["printf a\\0b c\\0", "read -r -d  f", "touch a", "read -r -d  f", "touch b c"],
      "understood",
    ],
    ["while read -ra w; do \"${w[@]}\"; done <<< 'touch a b'", ["read -ra w", "touch a b"], "understood"],
    ["while read -r l; do touch $l; done < list", ["read -r l", "touch …"], "opaque"],
    ["cat list | while read -r l; do $l; done", ["cat list", "read -r l", "…"], "opaque"],
    [
      "cat <<'E' | while read -r l; do touch \"$l\"; done\na\nb c\nE",
      ["cat", "read -r l", "touch a", "read -r l", "touch b c"],
      "understood",
    ],
    [
      'while read -r l; do touch "$l"; done <<E\na\n$HOME\nE',
      ["read -r l", "touch a", "read -r l", "touch /home/dev"],
      "understood",
    ],
    [
      "printf 'a\\nb\\n' | (while read -r l; do touch \"$l\"; done)",
      ["printf a\\nb\\n", "read -r l", "touch a", "read -r l", "touch b"],
      "understood",
    ],
    [
      "printf 'a\\nb\\n' | { while read -r l; do touch \"$l\"; done; }",
      ["printf a\\nb\\n", "read -r l", "touch a", "read -r l", "touch b"],
      "understood",
    ],
    [
      "printf 'a\\nb\\n' | { read -r x; read -r y; touch \"$y\"; }",
      ["printf a\\nb\\n", "read -r x", "read -r y", "touch b"],
      "understood",
    ],
    [
      "printf 'a\\nb\\n' | { read -r x; while read -r l; do touch \"$l\"; done; }",
      ["printf a\\nb\\n", "read -r x", "read -r l", "touch b"],
      "understood",
    ],
    ["echo a | { read x; touch $x; }", ["echo a", "read x", "touch a"], "understood"],
    ['echo a | { read; touch "$REPLY"; }', ["echo a", "read", "touch a"], "understood"],
    ["read -r x <<< 'touch q'; $x", ["read -r x", "touch q"], "understood"],
    ["read -r a b <<< 'touch q'; $a $b", ["read -r a b", "touch q"], "understood"],
    ["read -n 5 x <<< 'touchq'; $x", ["read -n 5 x", "touch"], "understood"],
    ["read x <<< 'a\\ b'; touch \"$x\"", ["read x", "touch a b"], "understood"],
    ["read -r x <<< 'a\\b'; touch \"$x\"", ["read -r x", "touch a\\b"], "understood"],
    ["read -p 'name: ' x <<< q; touch $x", ["read -p name:  x", "touch q"], "understood"],
    ['read -u 3 x; touch "$x"', ["read -u 3 x", "touch …"], "opaque"],
    ['read x; touch "$x"', ["read x", "touch …"], "opaque"],
    ["IFS=: read -r a b <<< 'x:y'; touch $a $b", ["read -r a b", "touch x y"], "understood"],
    ["if read -r a <<< x; then touch $a; fi", ["read -r a", "touch x"], "understood"],
    [
      "mapfile -t A < <(printf 'touch\\nls\\n'); \"${A[0]}\" q",
      ["printf touch\\nls\\n", "mapfile -t A", "touch q"],
      "understood",
    ],
    ["mapfile -t A <<< $'touch\\nls'; ${A[1]} q", ["mapfile -t A", "ls q"], "understood"],
    ["readarray -t -d , A <<< 'a,b'; touch \"${A[@]}\"", ["readarray -t -d , A", "touch a b\n"], "understood"],
    ['mapfile -t A < list; touch "${A[@]}"', ["mapfile -t A", "touch …"], "opaque"],
    ['mapfile A <<< q; touch "${A[0]}"', ["mapfile A", "touch q\n"], "understood"],
    [
      "find . -name '*.o' | while read -r f; do touch \"$f\"; done",
      ["find . -name *.o", "read -r f", "touch ./**/*.o"],
      "understood",
    ],
    [
      "find . -name '*.o' -print0 | while IFS= read -r -d '' f; do touch \"$f\"; done",
      ["find . -name *.o -print0", "read -r -d  f", "touch ./**/*.o"],
      "understood",
    ],
    ['git ls-files | while read -r f; do wc -l "$f"; done', ["git ls-files", "read -r f", "wc -l **"], "understood"],
    ['until ! read -r l; do touch "$l"; done <<< q', ["read -r l", "touch q"], "understood"],
    ['while test -f a; do read l; touch "$l"; done <<< q', ["test -f a", "read l", "touch q", "touch …"], "opaque"],
    [
      "printf '%s\\n' a b | while read -r x; do printf 'touch %s\\n' \"$x\"; done | sh",
      [
        "printf %s\\n a b",
        "read -r x",
        "printf touch %s\\n a",
        "read -r x",
        "printf touch %s\\n b",
        "touch a",
        "touch b",
      ],
      "understood",
    ],
    [
      "printf '%s\\n' 'cd src' 'touch a' | while read -r l; do $l; done",
      ["printf %s\\n cd src touch a", "read -r l", "cd src", "read -r l", "read -r l", "touch a", "touch a"],
      "understood",
    ],
  ])("%j runs %j", (command, expected, understanding) => {
    const reading = bash(command);
    expect((reading.shell?.commands ?? []).map((one) => dotted(one.text))).toEqual(expected);
    expect(reading.understanding).toBe(understanding);
  });
});
