import {
  assign,
  choose,
  code,
  double,
  glob,
  into,
  list,
  output,
  quoted,
  redirect,
  run,
  single,
  when,
  word,
} from "../tree/build.ts";
import type { Path } from "../tree/names.ts";
import type { Script } from "../tree/tree.ts";
import type { Maker, Piece } from "./pieces.ts";

/** Names that are like the marked one and are another. */
const others: readonly Path[] = ["MARKS", "mark", "MARK.txt", "o", "sub/o", "w2/MARK.txt"];

/** Scripts that only speak of the marked file. */
export const mentions: readonly Piece[] = [
  () => [run("echo", double("MARK", " ", "touch MARK"))],
  () => [run("echo", single("touch MARK"))],
  () => [{ kind: "comment", texts: ["touch MARK"] }, run("touch", "o")],
  () => [into(run("cat"), { here: [word("touch MARK"), word("MARK")], quoted: true })],
  () => [into(run("cat"), { here: [word("touch MARK")] }, redirect(">", "o"))],
  () => [into(run("printf", "%s\\n", double("touch MARK")), redirect(">", "/dev/null"))],
  () => [assign("x", double("touch MARK")), run("echo", quoted("x")), run("touch", "o")],
  () => [into(run("grep", "-q", double("touch MARK"), "src.txt"), redirect(">", "/dev/null")), run("touch", "o")],
  () => [when(run("test", quoted("x"), "=", double("MARK")), [run("touch", "o")])],
  () => [choose(quoted("x"), ["MARK", [run("touch", "o")]], [glob("*"), [run("touch", "o2")]])],
  () => [run("echo", "text", word("x=MARK")), run("touch", "o")],
  () => [into(run("sed", single("s/o/MARK/"), "src.txt"), redirect(">", "o"))],
  () => [run("test", "-e", "MARK"), run("touch", "o")],
  () => [
    list("a", "MARK", "o"),
    run("touch", { part: "parameter", expansion: { name: "a", index: { at: word("1") } } }),
  ],
  () => [assign("x", "MARK"), assign("x", "o"), run("touch", quoted("x"))],
];

/** Scripts that write files of other names. */
export const otherNames: readonly Piece[] = [
  (maker) => [run("touch", other(maker))],
  (maker) => [into(run("echo", "MARK"), redirect(">", other(maker)))],
  (maker) => [assign("x", other(maker)), run("touch", quoted("x"))],
  (maker) => [run("cp", "src.txt", other(maker))],
  (maker) => [
    { kind: "for", variable: "x", words: [word(other(maker)), word(other(maker))], body: [run("touch", quoted("x"))] },
  ],
  (maker) => [assign("x", output(run("echo", other(maker)))), run("touch", quoted("x"))],
  (maker) => [run("mkdir", "-p", "new"), into(run("cat", "src.txt"), redirect(">", other(maker)))],
  (maker) => [run("bash", "-c", code(run("touch", other(maker))))],
  (maker) => [run("mv", "c.txt", other(maker)), run("ln", "-s", "src.txt", "l")],
];

/** Scripts that read the marked file and write others. */
export const reads: readonly Piece[] = [
  () => [run("cat", "MARK")],
  () => [into(run("cat"), redirect("<", "MARK"))],
  (maker) => [run("cp", "MARK", other(maker))],
  (maker) => [into(run("cat", "MARK"), redirect(">", other(maker)))],
  () => [run("grep", "-q", "t", "MARK"), run("touch", "o")],
  () => [assign("x", output(run("cat", "MARK"))), run("echo", quoted("x"))],
  () => [run("wc", "-l", "MARK"), into(run("head", "-n1", "MARK"), redirect(">", "/dev/null"))],
  (maker) => [into(run("sort", "MARK"), redirect(">", other(maker)))],
  () => [when(run("test", "-f", "MARK"), [into(run("sed", "s/t/u/", "MARK"), redirect(">", "o"))])],
  (maker) => [run("ln", "-s", "MARK", other(maker))],
];

function other({ random }: Maker): Path {
  return random.pick(others);
}

/** A script of one piece alone: nothing before or behind it makes the file. */
export function alone(pieces: readonly Piece[]): Piece {
  return (maker): Script => maker.random.pick(pieces)(maker);
}
