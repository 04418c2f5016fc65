import { describe, expect, it } from "vitest";
import {
  and,
  assign,
  background,
  choose,
  code,
  define,
  double,
  each,
  expanded,
  glob,
  into,
  list,
  not,
  output,
  pipe,
  quoted,
  redirect,
  run,
  single,
  subshell,
  value,
  when,
  word,
} from "./tree/build.ts";
import { printScript } from "./tree/print.ts";
import type { Script } from "./tree/tree.ts";

/** Trees and their texts. */
const rows: readonly (readonly [string, Script])[] = [
  [":\n", []],
  [":\n", [run()]],
  ["touch ''\n", [run("touch", word())]],
  ["x=\n", [assign("x", "")]],
  ["touch 'a b' '*' MARK\n", [run("touch", "a b", "*", "MARK")]],
  ["echo '%s\\n'\n", [run("echo", "%s\\n")]],
  ['touch "${x}RK" $x.txt\n', [run("touch", double(value("x"), "RK"), word(value("x"), ".txt"))]],
  ["true && { true && true; }\n", [and(run("true"), and(run("true"), run("true")))]],
  ["{ ! true; } && x=o\n", [and(not(run("true")), assign("x", "o"))]],
  ["true | { true && true; }\n", [pipe(run("true"), and(run("true"), run("true")))]],
  ["true &\nwait\n", [background(run("true")), run("wait")]],
  ["x=$(true; echo o)\n", [assign("x", output(run("true"), run("echo", "o")))]],
  [
    "x=$({ true & wait; })\n",
    [assign("x", output({ kind: "group", body: [background(run("true")), run("wait")], redirections: [] }))],
  ],
  ["eval 'echo '\\''a b'\\'''\n", [run("eval", code(run("echo", "a b")))]],
  ["echo '$'\n", [run("echo", single("$"))]],
  ['f() {\ntouch "$1"\n}\n', [define("f", run("touch", quoted("1")))]],
  ["for x in o M*; do\n(\ntouch $x\n)\ndone\n", [each("x", ["o", glob("M*")], subshell(run("touch", value("x"))))]],
  ["if true; then\ntrue\nelse\nfalse\nfi\n", [when(run("true"), [run("true")], [run("false")])]],
  ["case $x in\n(MARK)\ntrue\n;;\nesac\n", [choose(value("x"), ["MARK", [run("true")]])]],
  ["a=(o MARK)\n", [list("a", "o", "MARK")]],
  [
    "touch ${x:-o} ${x/M/o} ${x:1:2}\n",
    [run("touch", expanded("x", ":-", "o"), expanded("x", "/", glob("M"), "o"), expanded("x", ":", "1", "2"))],
  ],
  ["cat <<END0 > o\nMARK\nEND0\n", [into(run("cat"), { here: [word("MARK")] }, redirect(">", "o"))]],
  [
    "cat <<END0 | cat <<'END1'\nMARK\nEND0\no\nEND1\n",
    [pipe(into(run("cat"), { here: [word("MARK")] }), into(run("cat"), { here: [word("o")], quoted: true }))],
  ],
  ["echo t 2>&1\n", [into(run("echo", "t"), redirect(">&", "1", 2))]],
  ["# touch MARK\ntouch o\n", [{ kind: "comment", texts: ["touch MARK"] }, run("touch", "o")]],
];

describe("the text of a tree", () => {
  it.each(rows)("is %j", (text, script) => {
    expect(printScript(script)).toBe(text);
  });
});
