import { describe, expect, it } from "vitest";
import { expandBraces } from "../../../facts/shell/braces.ts";
import { globMatches } from "../../../facts/shell/globs.ts";
import { parseShell } from "../../../facts/shell/parse.ts";
import { knownParts } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

/** Words of the last command: literals as they are, patterns in `<>`, unknown words in `?()`. */
function words(command: string): string[] {
  const last = bash(command).shell?.commands.at(-1);
  return (last?.words ?? []).map(({ kind, text }) => {
    const known = knownParts(text);
    return kind === "literal" ? known : kind === "pattern" ? `<${known}>` : `?(${known})`;
  });
}

describe("words are folded as bash expands them", () => {
  it.each([
    ["echo a\\ b 'c d' \"e f\"", ["a b", "c d", "e f"]],
    ["echo $'\\x41\\n' $\"loc\"", ["A\n", "loc"]],
    ["echo a'b'\"c\"\\d", ["abcd"]],
    ["echo '' \"\"", ["", ""]],
    ["echo a\\\nb", ["ab"]],
    ["echo *.c [a-z]? +(a|b)", ["<*.c>", "<[a-z]?>", "<*>"]],
    ["echo '*' \\* \"*\"", ["*", "*", "*"]],
    ["echo ~ ~/x \\~ '~' a~", ["/home/dev", "/home/dev/x", "~", "~", "a~"]],
    [
      "echo {a,b}c {1..3} {01..03} {c..a} a{,b}",
      ["ac", "bc", "1", "2", "3", "01", "02", "03", "c", "b", "a", "a", "ab"],
    ],
    ['echo {a} "{a,b}" \\{a,b} {a,{b,c}}d', ["{a}", "{a,b}", "{a,b}", "ad", "bd", "cd"]],
    ["X='a b'; echo $X \"$X\" x${X}y", ["a", "b", "a b", "xa", "by"]],
    ['X=*; echo $X "$X"', ["<*>", "*"]],
    ["X=; echo $X a", ["a"]],
    ["IFS=,; X=a,b; echo $X", ["a", "b"]],
    ["printf -v X '%s-%b' 'a\\n' b; echo \"$X\"", ["a\\n-b"]],
    ["a=(x 'y z'); echo \"${a[@]}\" ${a[1]} $a", ["x", "y z", "y", "z", "x"]],
    ["X=a; X+=b; echo $X", ["ab"]],
    ['echo $HOME "$PWD"/x', ["/home/dev", "/home/dev/app/x"]],
    ["X=a.tar.gz; echo ${X%.*} ${X%%.*} ${X#*.} ${X##*.} ${#X}", ["a.tar", "a", "tar.gz", "gz", "8"]],
    ["X=abc; echo ${X/b/x} ${X//c} ${X:1} ${X:0:2} ${X^} ${X^^}", ["axc", "ab", "bc", "ab", "Abc", "ABC"]],
    ["X=a; Y=X; echo ${!Y} ${X:+z} ${N:-d} ${N-d} ${M:=e} $M", ["a", "z", "d", "d", "e", "e"]],
    ['echo $U "$U" "a$U" $(id)x', ["?()", "?()", "?(a)", "?(x)"]],
    ["echo $((1+1)) <(ls)", ["2", "/dev/fd/63"]],
    ["echo ${X@P} $@ $1", ["?()", "?()", "?()"]],
    ['set -- a b; echo "$@" $2 $3', ["a", "b", "b"]],
    ["echo $(echo a b) \"$(printf '%s-' x y)\"", ["a", "b", "x-y-"]],
    ["X=a; (X=b); echo $X", ["a"]],
    ["X=a; if true; then X=b; fi; echo $X", ["b"]],
    ["X=a; if true; then X=a; fi; echo $X", ["a"]],
    ["X=a; true && X=b; echo $X", ["b"]],
    ["X=a; test -f y && X=b; echo $X", ["b"]],
    ["X=a; while true; do echo $X; X=b; done", ["b"]],
    ["X=a foo; echo $X", ["?()"]],
    ["export X=a; echo $X", ["a"]],
    ["read X < f; echo $X", ["?()"]],
  ])("%j has the words %j", (command, expected) => {
    expect(words(command)).toEqual(expected);
  });
});

describe("brace expansion", () => {
  it.each([
    ["a{b,c}", ["ab", "ac"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
    ["${a,b}", ["${a,b}"]],
    ["$(x {a,b}){c,d}", ["$(x {a,b})c", "$(x {a,b})d"]],
    ["'{a,b}'{c,d}", ["'{a,b}'c", "'{a,b}'d"]],
    ["{a,b", ["{a,b"]],
    ["{x{a,b}", ["{xa", "{xb"]],
    ["{1..9..4}", ["1", "5", "9"]],
    ["{a..1}", ["{a..1}"]],
  ])("%j gives %j", (raw, expected) => {
    expect(expandBraces(raw)).toEqual(expected);
  });

  it("gives nothing over the bound", () => {
    expect(expandBraces("{1..2000}")).toBeUndefined();
    expect(expandBraces("{a,b}".repeat(11))).toBeUndefined();
  });
});

describe("globs", () => {
  it.each([
    ["*", "rm", true],
    ["r?", "rm", true],
    ["r[l-n]", "rm", true],
    ["r[!m]", "rm", false],
    ["r\\?", "rm", false],
    ["*a*b*c", "xxaxxbxxc", true],
    ["*a*b*d", "xxaxxbxxc", false],
    ["[", "[", true],
    ["@(a|b)", "x", true],
  ])("%j on %j is %j", (pattern, text, expected) => {
    expect(globMatches(pattern, text)).toBe(expected);
  });
});

describe("parsing", () => {
  it("shifts offsets of a nested text", () => {
    const tree = parseShell("ls a", { shift: 10 });
    expect(tree).toMatchObject({ kind: "sequence", items: [{ kind: "simple", start: 10, end: 14 }] });
  });

  it.each(["echo 'a", "if", "a |", "ls )", "a\u0000", 'echo "$(ls'])("%j is a problem with a place", (text) => {
    const tree = parseShell(text);
    expect(tree.kind).toBe("problem");
    expect(tree.kind === "problem" && tree.at <= text.length).toBe(true);
  });
});
