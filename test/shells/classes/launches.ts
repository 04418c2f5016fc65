import {
  assign,
  code,
  define,
  double,
  into,
  output,
  pipe,
  prefixed,
  quoted,
  redirect,
  run,
  type Some,
  single,
  value,
  word,
} from "../tree/build.ts";
import type { Statement } from "../tree/tree.ts";
import { type Maker, one, type Piece, place, sink, sinkOf } from "./pieces.ts";

const shell = ({ random }: Maker): "bash" | "sh" => random.pick(["bash", "sh"] as const);
/** A text that is a command: of the script itself, or known from elsewhere. */
const command = (maker: Maker): Some =>
  one<Some>(
    maker,
    () => single("touch MARK"),
    () => single("touch o"),
    () => code(sink(maker, place(maker))),
  );

/** Ways to run a text as code, in this shell or another: by an argument, by its input, by a file. */
export const launches: Readonly<Record<string, Piece>> = {
  "-c": (maker) => [
    run(
      shell(maker),
      "-c",
      one<Some>(
        maker,
        () => command(maker),
        () => code(sinkOf(maker, "x")),
        () => double(word("touch", " ", value("x"))),
      ),
    ),
  ],
  "-c with arguments": (maker) => [
    run(
      shell(maker),
      "-c",
      code(sink(maker, quoted(maker.random.pick(["0", "1", "@"] as const)))),
      place(maker),
      place(maker),
    ),
  ],
  "-s": (maker) => [
    into(
      run(shell(maker), "-s", place(maker)),
      one(
        maker,
        () => redirect("<<<", code(sink(maker, quoted("1")))),
        () => ({ here: [word("touch MARK")] }),
      ),
    ),
  ],
  "standard input": (maker) => [
    one<Statement>(
      maker,
      () => pipe(run("echo", command(maker)), run(shell(maker))),
      () => into(run(shell(maker)), redirect("<<<", command(maker))),
      () => into(run(shell(maker)), { here: [word("touch o"), word("touch MARK")] }),
      () => into(run(shell(maker)), redirect("<", "run.sh")),
      () => pipe(run("cat", "run.sh"), run(shell(maker))),
    ),
  ],
  "a file": (maker) => [
    one<Statement>(
      maker,
      () => run(shell(maker), "run.sh"),
      () => run("./run.sh"),
      () => run(shell(maker), "./run.sh", place(maker)),
      () => run(".", "./run.sh"),
    ),
  ],
  "a file written before": (maker) => [
    one<Statement>(
      maker,
      () => into(run("echo", command(maker)), redirect(">", "o")),
      () => into(run("printf", "%s\\n", command(maker)), redirect(">", "o")),
      () => into(run("cat"), { here: [word("touch MARK")] }, redirect(">", "o")),
      () => run("cp", "run.sh", "o"),
      () => into(run("sed", "s/o/MARK/", "run.sh"), redirect(">", "o")),
      () => pipe(run("echo", command(maker)), run("tee", "o")),
    ),
    one<Statement>(
      maker,
      () => run(shell(maker), "o"),
      () => run(".", "./o"),
      () => into(run(shell(maker)), redirect("<", "o")),
      () => run("eval", double(output(run("cat", "o")))),
    ),
  ],
  "values of a file written before": (maker) => [
    into(run("echo", word("x=", place(maker))), redirect(">", "o")),
    one<Statement>(
      maker,
      () => run(".", "./o"),
      () => run("eval", double(output(run("cat", "o")))),
      () => run("export", output(run("cat", "o"))),
    ),
    sinkOf(maker, "x"),
  ],
  "a start-up file": (maker) => [
    one<Statement>(
      maker,
      () =>
        prefixed("BASH_ENV", maker.random.pick(["vars.sh", "run.sh"] as const), "bash", "-c", code(sinkOf(maker, "x"))),
      () => prefixed("ENV", "vars.sh", "sh", "-i", "-c", code(sinkOf(maker, "x"))),
      () => run("env", word("BASH_ENV", "=", "run.sh"), "bash", "-c", ":"),
    ),
  ],
  "an exported function": (maker) => [
    define(
      "f",
      sink(
        maker,
        one<Some>(
          maker,
          () => quoted("1"),
          () => quoted("x"),
        ),
      ),
    ),
    run("export", "x"),
    run("export", "-f", "f"),
    run("bash", "-c", word("f"), ...(maker.random.chance(0.5) ? [place(maker)] : [])),
  ],
  "env -S": (maker) => [
    one<Statement>(
      maker,
      () => run("env", "-S", single("touch MARK")),
      () => run("env", "-S", single("touch o")),
      () => run("env", "-i", word("x=", place(maker)), "sh", "-c", code(sinkOf(maker, "x"))),
      () => run("env", "-u", "x", "touch", place(maker)),
    ),
  ],
  xargs: (maker) => [
    one<Statement>(
      maker,
      () => pipe(run("echo", place(maker)), run("xargs", "touch")),
      () => pipe(run("printf", "%s\\n", place(maker), place(maker)), run("xargs", "-n1", "touch")),
      () => pipe(run("cat", "list.txt"), run("xargs", "touch")),
      () => into(run("xargs", "touch"), redirect("<", "name.txt")),
      () => pipe(run("echo", place(maker)), run("xargs", "-I{}", "cp", "src.txt", "{}")),
      () => pipe(run("echo", place(maker)), run("xargs", "sh", "-c", code(sink(maker, quoted("0"))))),
    ),
  ],
  "a process": (maker) => [
    one<Statement>(
      maker,
      () => run(".", { part: "process", direction: "<", body: [run("echo", word("x=", place(maker)))] }),
      () => run("bash", { part: "process", direction: "<", body: [run("echo", command(maker))] }),
      () => into(run("bash"), redirect("<", { part: "process", direction: "<", body: [run("echo", command(maker))] })),
    ),
    sinkOf(maker, "x"),
  ],
  "a value": (maker) => [
    assign("y", command(maker)),
    one<Statement>(
      maker,
      () => run(value("y")),
      () => run("eval", value("y")),
      () => run("eval", quoted("y")),
      () => run(shell(maker), "-c", quoted("y")),
      () => pipe(run("echo", quoted("y")), run(shell(maker))),
    ),
    sinkOf(maker, "x"),
  ],
  output: (maker) => [
    one<Statement>(
      maker,
      () => run(output(run("echo", command(maker)))),
      () => run("eval", output(run("echo", command(maker)))),
      () => run(output(run("cat", "run.sh"))),
      () => run(shell(maker), "-c", double(output(run("cat", "run.sh")))),
      () => run(shell(maker), "-c", double({ part: "content", file: word("run.sh") })),
      () => run("eval", double({ part: "content", file: word("run.sh") })),
    ),
  ],
  "a wrapper": (maker) => [
    run(
      maker.random.pick(["nice", "command", "env", "exec"] as const),
      ...one<readonly Some[]>(
        maker,
        () => ["touch", place(maker)],
        () => [shell(maker), "-c", command(maker)],
      ),
    ),
  ],
};
