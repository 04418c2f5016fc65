import { literalField } from "../shell/fields.ts";
import { interprets } from "./code/effects.ts";
import { interpreters } from "./code/table.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { shellGrammar, shellNames } from "./shells.ts";
import { checkedSources } from "./taken.ts";

/** Makes the effects of an interpreter: a script file is read and run; inline code and code from the input are run without analysis. */
function interpreter(inline: readonly string[], modules: readonly string[] = []): (call: Call) => void {
  return interprets({ names: [], grammar: {}, language: undefined, inline, modules });
}

/** Reports a shell whose text could not be unwrapped: a script file, unknown text, or its input. */
function shell(call: Call): void {
  if (call.has("--version") || call.has("--help")) return;
  const [script] = call.operands;
  if (script && !call.has("-c") && !call.has("-s") && !script.text.startsWith("/dev/fd/")) {
    call.to.read(script);
    call.to.run(script.text, script.kind !== "unknown");
  } else {
    call.to.run(call.program);
  }
  if (!call.draft.analysed) call.to.doubt(`what ${call.program} runs is not analysed`);
}

const opaque = (call: Call): void => {
  if (/^(?:mvnw?|gradlew?)$/.test(call.program) && call.operands.some((word) => publishingTask.test(word.text)))
    call.to.config("maven publish package");
  // A script on the input names the files it deletes.
  const script = /^gradlew?$/.test(call.program) ? call.draft.input?.atom : undefined;
  for (const found of (script?.text ?? "").matchAll(/\bdelete\s*(?:\(\s*)?(?:file\()?["']([^"'\n]+)["']/g))
    call.to.delete(literalField(found[1] as string, call.draft.place), true);
  call.to.run(
    call.program === "make" || call.subcommand === ""
      ? [call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" ")
      : `${call.program} ${call.subcommand}`,
  );
  call.to.doubt(`what ${call.program} runs is not analysed`);
};

/** Goals and tasks that publish a package for others; a local repository does not count. */
const publishingTask = /^(?:[\w:-]*:)?(?:deploy|deploy:deploy|publish|publishPlugins|uploadArchives|release:perform)$/;

/** Makes the row of a build tool, container tool or database, which runs the commands in its files or words. */
function opaqueProgram(names: string, options: readonly string[] = []): Program {
  return { names: names.split(" "), grammar: { options, stop: false }, effects: opaque };
}

/** A checker or formatter: reads its operands, runs its configuration. */
function checker(names: string, writing: readonly string[], options: readonly string[] = []): Program {
  return program(names, options, (call) => {
    for (const operand of call.operands) {
      call.to.read(operand, { recursive: true, takes: checkedSources });
      if (writing.some((name) => call.has(name))) call.to.write(operand);
    }
    call.to.run(call.program);
    call.to.doubt(`${call.program} runs its configuration`);
  });
}

const stopping = (names: string, options: readonly string[], effects: (call: Call) => void): Program => ({
  names: names.split(" "),
  grammar: { options, stop: true },
  effects,
});

/** Programs that run code of their own language, builds and containers. Source: threats page, class 8. */
export const interpreterPrograms: readonly Program[] = [
  { names: shellNames, grammar: shellGrammar, effects: shell },
  {
    names: ["fish", "csh", "tcsh", "nu", "pwsh", "powershell", "cmd", "xonsh", "elvish", "ion", "murex", "osh"],
    grammar: { options: ["-c --command="], stop: true },
    effects: interpreter(["-c"]),
  },
  ...interpreters.map((how): Program => ({ names: how.names, grammar: how.grammar, effects: interprets(how) })),
  stopping(
    "swift scala tclsh expect guile racket",
    ["-e --eval=", "-c=", "-r --require=", "-v --version"],
    interpreter(["--eval", "-c"]),
  ),
  stopping("java javac", ["-cp=", "-classpath=", "-jar="], interpreter([], ["-jar"])),
  opaqueProgram("make gmake ninja cmake bazel gradle gradlew mvn mvnw ant rake just task nox tox invoke meson scons", [
    "-f --file=",
    "-C --directory=",
    "-j --jobs=?",
    "-n --just-print",
    "-k --keep-going",
  ]),
  {
    names: ["swiftpm", "stack", "cabal", "zig"],
    grammar: { stop: true },
    subcommands: [],
    effects: opaque,
  },
  checker(
    "tsc",
    ["--build"],
    optionList(`
    -p --project=; --outDir=; --target=; --module=; -b --build; --noEmit; -w --watch
  `),
  ),
  checker(
    "eslint biome oxlint stylelint ruff black isort mypy flake8 pylint rubocop gofmt rustfmt clang-format shfmt",
    ["--fix", "--write", "-w", "-i"],
    ["-c --config=", "--ext=", "-f --format=", "--rulesdir=", "--parser="],
  ),
  checker("markdownlint-cli2 taplo", ["--fix", "--write"], ["-c --config="]),
  checker("prettier", ["--write", "-w"], ["-w --write", "-c --check", "--config=", "--parser=", "--ignore-path="]),
  opaqueProgram(
    "vitest jest mocha ava tap c8 nyc playwright cypress pytest phpunit rspec webpack vite rollup esbuild turbo nx lerna next nuxt astro storybook svelte-kit prisma drizzle-kit gcc g++ cc c++ clang clang++ rustc ld ar strip",
    ["-t --testNamePattern=", "-c --config=", "-o="],
  ),
];
