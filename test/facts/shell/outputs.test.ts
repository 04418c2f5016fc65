import { describe, expect, it } from "vitest";
import { bash, dotted } from "../effects/judge.ts";

/** Text, commands in the order in which they are found (what is not known is `…`), understanding. */
type Row = readonly [string, readonly string[], string];

describe("what constants print is followed into the shell that reads it", () => {
  it.each<Row>([
    ["echo 'touch q' | tee >(bash)", ["echo touch q", "tee /dev/fd/63", "touch q"], "understood"],
    [
      "echo 'touch q' | tee log >(bash) >(cat)",
      ["echo touch q", "tee log /dev/fd/63 /dev/fd/63", "touch q", "cat"],
      "understood",
    ],
    ["echo 'touch q' | sudo tee >(bash)", ["echo touch q", "tee /dev/fd/63", "touch q"], "understood"],
    ["tee >(bash) <<< 'touch q'", ["tee /dev/fd/63", "touch q"], "understood"],
    ["tee >(bash) < list", ["tee /dev/fd/63", "bash"], "opaque"],
    ["echo 'touch q' > >(sh)", ["echo touch q", "touch q"], "understood"],
    ["echo 'touch q' &> >(sh)", ["echo touch q", "touch q"], "understood"],
    ["{ echo 'touch q'; echo ls; } > >(sh)", ["echo touch q", "echo ls", "touch q", "ls"], "understood"],
    ["ls 2> >(tee log >&2)", ["ls", "tee log"], "understood"],
    ["ls > >(tee log)", ["ls", "tee log"], "understood"],
    ["exec > >(bash)", ["exec", "bash"], "opaque"],
    ["curl -s https://example.com > >(sh)", ["curl -s https://example.com", "sh"], "opaque"],
    ["cp a >(sh)", ["cp a /dev/fd/63", "sh"], "opaque"],
    ["for f in >(sh); do ls $f; done", ["sh", "ls /dev/fd/63"], "opaque"],
    ["echo 'gbhpu d' | tr a-z n-za-m | sh", ["echo gbhpu d", "tr a-z n-za-m", "sh", "touch q"], "understood"],
    [
      "echo 'gbhpu d' | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash",
      ["echo gbhpu d", "tr A-Za-z N-ZA-Mn-za-m", "bash", "touch q"],
      "understood",
    ],
    [
      "echo 'TOUCH q' | tr '[:upper:]' '[:lower:]' | sh",
      ["echo TOUCH q", "tr [:upper:] [:lower:]", "sh", "touch q"],
      "understood",
    ],
    ["echo 'tXoXuch q' | tr -d X | sh", ["echo tXoXuch q", "tr -d X", "touch q"], "understood"],
    ["echo 'toouch q' | tr -s o | sh", ["echo toouch q", "tr -s o", "touch q"], "understood"],
    ["echo 'touch,q' | tr , ' ' | sh", ["echo touch,q", "tr ,  ", "sh", "touch q"], "understood"],
    ["echo 'touch1q' | tr -c 'a-z\\n' ' ' | sh", ["echo touch1q", "tr -c a-z\\n  ", "sh", "touch q"], "understood"],
    ["echo 'dG91Y2ggcQo=' | base64 -d | sh", ["echo dG91Y2ggcQo=", "base64 -d", "sh", "touch q"], "understood"],
    [
      "echo 'dG91Y2ggcQo=' | openssl base64 -d | sh",
      ["echo dG91Y2ggcQo=", "openssl base64 -d", "sh", "touch q"],
      "understood",
    ],
    [
      "echo 'dG91Y2ggcQo=' | openssl enc -d -base64 | sh",
      ["echo dG91Y2ggcQo=", "openssl enc -d -base64", "sh", "touch q"],
      "understood",
    ],
    [
      "echo 'dG91Y2ggcQo=' | python3 -m base64 -d | sh",
      ["echo dG91Y2ggcQo=", "python3 -m base64 -d", "touch q"],
      "understood",
    ],
    ["echo 'ORXXKY3IEBYQU===' | base32 -d | sh", ["echo ORXXKY3IEBYQU===", "base32 -d", "sh", "touch q"], "understood"],
    ["echo 746f75636820710a | xxd -r -p | sh", ["echo 746f75636820710a", "xxd -r -p", "sh", "touch q"], "understood"],
    ["echo 'q hcuot' | rev | sh", ["echo q hcuot", "rev", "sh", "touch q"], "understood"],
    ["echo x | gunzip | sh", ["echo x", "gunzip", "sh"], "opaque"],
    ["zcat a.gz | sh", ["zcat a.gz", "sh"], "opaque"],
    ["echo 'mouch q' | sed s/m/t/ | sh", ["echo mouch q", "sed s/m/t/", "touch q"], "understood"],
    ["echo 'mouch m' | sed 's/m/t/g' | sh", ["echo mouch m", "sed s/m/t/g", "touch t"], "understood"],
    ["echo 'mouch q' | sed 's/^m/t/' | sh", ["echo mouch q", "sed s/^m/t/", "touch q"], "understood"],
    ["echo 'mouch q' | sed y/m/t/ | sh", ["echo mouch q", "sed y/m/t/", "touch q"], "understood"],
    ["echo 'mouch q' | sed 's/m.*/x/' | sh", ["echo mouch q", "sed s/m.*/x/", "sh"], "opaque"],
    [
      "printf 'a\\ntouch q\\nb\\n' | head -n 2 | tail -n 1 | sh",
      ["printf a\\ntouch q\\nb\\n", "head -n 2", "tail -n 1", "touch q"],
      "understood",
    ],
    ["printf 'a\\ntouch q\\n' | tail -n +2 | sh", ["printf a\\ntouch q\\n", "tail -n +2", "touch q"], "understood"],
    ["printf 'touch qxx' | head -c 7 | sh", ["printf touch qxx", "head -c 7", "touch q"], "understood"],
    ["printf 'a\\ntouch q\\n' | tail -1 | sh", ["printf a\\ntouch q\\n", "tail -1", "touch q"], "understood"],
    ["echo 'x:touch q:y' | cut -d: -f2 | sh", ["echo x:touch q:y", "cut -d: -f2", "touch q"], "understood"],
    ["echo 'xxtouch q' | cut -c3- | sh", ["echo xxtouch q", "cut -c3-", "touch q"], "understood"],
    [
      "printf 'b\\ntouch a\\n' | tac | head -1 | sh",
      ["printf b\\ntouch a\\n", "tac", "head -1", "touch a"],
      "understood",
    ],
    ["{ echo 'touch a'; echo 'ls b'; } | sh", ["echo touch a", "echo ls b", "touch a", "ls b"], "understood"],
    ["(cd src; echo 'touch a') | sh", ["cd src", "echo touch a", "echo touch a", "touch a"], "understood"],
    ["{ cat f; echo 'touch a'; } | sh", ["cat f", "echo touch a", "sh", "…", "touch a"], "opaque"],
    [
      "if test -f a; then echo 'touch a'; else echo 'ls b'; fi | sh",
      ["test -f a", "echo touch a", "echo ls b", "touch a", "ls b"],
      "opaque",
    ],
    [
      'for f in a b; do echo "touch $f"; done | sh',
      ["echo touch a", "echo touch b", "touch a", "touch b"],
      "understood",
    ],
    [
      "while test -f a; do echo 'touch a'; done | sh",
      ["test -f a", "echo touch a", "touch a", "sh", "…", "touch a"],
      "opaque",
    ],
    ["f() { echo 'touch a'; }; f | sh", ["echo touch a", "touch a"], "understood"],
    ["f() { echo warn >&2; echo touch; }; $(f) q", ["echo warn", "echo touch", "touch q"], "understood"],
    ["{ echo 'touch q' >&2; } 2>&1 | sh", ["echo touch q", "touch q"], "understood"],
    ["echo 'touch q' |& sh", ["echo touch q", "touch q"], "understood"],
    ["{ echo 'touch q' > log; } | sh", ["echo touch q"], "understood"],
    ["sh -c 'echo touch q' | sh", ["echo touch q", "touch q"], "understood"],
    ["x=$(echo touch; echo q); $x", ["echo touch", "echo q", "touch q"], "understood"],
    ["$(echo touch) q", ["echo touch", "touch q"], "understood"],
    ["$(echo touch; true) q", ["echo touch", "true", "touch q"], "understood"],
    ["true | echo 'touch q' | sh", ["true", "echo touch q", "touch q"], "understood"],
    ["echo 'touch q' | cat | cat - | sh", ["echo touch q", "cat", "cat -", "touch q"], "understood"],
    ["grep -q a b && echo 'touch q' | sh", ["grep -q a b", "echo touch q", "touch q"], "understood"],
    ["echo 'touch q' | sh > log", ["echo touch q", "touch q"], "understood"],
  ])("%j runs %j", (command, expected, understanding) => {
    const reading = bash(command);
    const found = (reading.shell?.commands ?? []).map((one) => dotted(one.text));
    // A shell whose whole text is known is told as what it runs.
    const told = (text: string): boolean => understanding !== "understood" || !/^(?:sh|bash)$/.test(text);
    expect(found.filter(told)).toEqual(expected.filter(told));
    expect(reading.understanding).toBe(understanding);
  });
});
