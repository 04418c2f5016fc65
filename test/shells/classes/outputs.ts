import { code, into, redirect, run, value, word } from "../tree/build.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, place } from "./pieces.ts";

/** Commands whose output is known by the text, or is not. */
export function printing(maker: Maker): Statement {
  const { random } = maker;
  const p = place(maker);
  return one<Statement>(
    maker,
    () => run("echo", p),
    () => run("echo", "-n", p),
    () =>
      run("echo", "-e", random.pick(["\\115ARK", "MARK\\c", "MA\\122K", "\\0115ARK", "\\x4dARK", "o\\tMARK"] as const)),
    () =>
      run(
        "printf",
        random.pick(["%s", "%s\\n", "%5s", "%-5s", "%.4s", "%.1s", "%b", "%q", "MA%s", "%s%s", "%c", "%*s"] as const),
        random.pick(["MARK", "MARKS", "o", "RK", "\\115ARK", "MARKX"] as const),
      ),
    () =>
      run(
        "printf",
        random.pick(["\\115ARK", "MARK\\c", "MA\\122K", "%%", "%d", "%x", "%05d", "\\x4dARK", "MARK\\n"] as const),
        "77",
      ),
    () => run("cat", random.pick(["name.txt", "list.txt"] as const)),
    () => run("basename", random.pick(["sub/MARK", "MARK.txt"] as const), random.pick([".txt", "MARK"] as const)),
    () => run("dirname", random.pick(["sub/MARK", "MARK"] as const)),
    () => run("head", "-n1", random.pick(["name.txt", "list.txt"] as const)),
    () => into(run("tr", "m", "M"), redirect("<<<", "mark")),
    () => into(run("sed", "s/o/MARK/"), redirect("<<<", random.pick(["o", "x", "MARK"] as const))),
    () => into(run("cut", "-d:", "-f1"), redirect("<<<", random.pick(["MARK:o", "o:MARK"] as const))),
    () => run("seq", "1", "2"),
    () => run("expr", "1", "+", "1"),
    () => run("pwd"),
    () => run("eval", code(run("echo", p))),
    () => into(run("cat"), { here: [word(p)] }),
    () => into(run("cat"), { here: [word(value("x"))], quoted: true }),
  );
}
