import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { shellGrammar, shellNames } from "./shells.ts";

/** A script file is read and run; inline code and code from the input are run and not analysed. */
function interpreter(inline: readonly string[], modules: readonly string[] = []): (call: Call) => void {
  return (call) => {
    for (const name of ["-r", "--require", "--import", "-I", "--loader"])
      if (!inline.includes(name)) for (const value of call.values(name)) call.to.run(value.text);
    const code = inline.find((name) => call.has(name));
    const module = modules.map((name) => call.value(name)).find((value) => value !== undefined);
    const [script] = call.operands;
    if (
      code === undefined &&
      module === undefined &&
      !script &&
      (call.has("--version") || call.has("--help") || call.has("-V"))
    )
      return;
    if (code !== undefined) call.to.run(`${call.program} ${code}`);
    else if (module) call.to.run(module.text, module.kind !== "unknown");
    else if (script && script.text !== "-" && script.content === undefined) {
      call.to.read(script);
      call.to.run(script.text, script.kind !== "unknown");
    } else call.to.run(call.program);
    call.to.doubt(
      code !== undefined ? `inline ${call.program} code is not analysed` : `what ${call.program} runs is not analysed`,
    );
  };
}

/** A shell whose text could not be peeled: a script file, unknown text, or its input. */
function shell(call: Call): void {
  if (call.has("--version") || call.has("--help")) return;
  const [script] = call.operands;
  if (script && !call.has("-c") && !call.has("-s") && script.content === undefined) {
    call.to.read(script);
    call.to.run(script.text, script.kind !== "unknown");
  } else {
    call.to.run(call.program);
  }
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

const opaque = (call: Call): void => {
  call.to.run(
    call.program === "make" || call.subcommand === ""
      ? [call.program, ...call.operands.slice(0, 1).map((word) => word.text)].join(" ")
      : `${call.program} ${call.subcommand}`,
  );
  call.to.doubt(`what ${call.program} runs is not analysed`);
};

/** Build tools, containers and databases: they run what their files or words say. */
function opaqueProgram(names: string, options: readonly string[] = []): Program {
  return { names: names.split(" "), grammar: { options, stop: false }, effects: opaque };
}

/** A checker or formatter: reads its operands, runs its configuration. */
function checker(names: string, writing: readonly string[], options: readonly string[] = []): Program {
  return program(names, options, (call) => {
    for (const operand of call.operands) {
      call.to.read(operand, { recursive: true });
      if (writing.some((name) => call.has(name))) call.to.write(operand);
    }
    call.to.run(call.program);
    call.to.doubt(`${call.program} runs its configuration`);
  });
}

function database(call: Call): void {
  const host = call.value("--host");
  if (host) call.to.network(host, "both");
  for (const name of ["--file", "--init-file"]) for (const file of call.values(name)) call.to.read(file);
  for (const name of ["--output", "--log-file"]) for (const file of call.values(name)) call.to.write(file);
  for (const word of call.operands) if (/^[a-z]+:\/\//i.test(word.text)) call.to.network(word, "both");
  call.to.doubt(`what ${call.program} does in the database is not analysed`);
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
    names: ["fish", "csh", "tcsh", "nu", "pwsh", "powershell", "cmd"],
    grammar: { options: ["-c --command="], stop: true },
    effects: interpreter(["-c"]),
  },
  stopping(
    "python",
    optionList(`
    -c=; -m=; -W=; -X=; --check-hash-based-pycs=; -V --version; -h --help
  `),
    interpreter(["-c"], ["-m"]),
  ),
  stopping(
    "node nodejs bun-node deno-run",
    optionList(`
    -e --eval=; -p --print=; -c --check; -r --require=; --import=; --loader=; -C --conditions=;
    --env-file=; --input-type=; -i --interactive; -v --version; -h --help
  `),
    interpreter(["--eval", "--print"]),
  ),
  stopping(
    "perl",
    optionList(`
    -e=; -E=; -i=?; -I=; -M=; -m=; -F=; -v --version
  `),
    interpreter(["-e", "-E"]),
  ),
  stopping(
    "ruby",
    optionList(`
    -e=; -I=; -r=; -E=; -F=; -C=; -v --version
  `),
    interpreter(["-e"]),
  ),
  stopping(
    "php",
    optionList(`
    -r --run=; -f --file=; -d=; -c=; -S=; -t=; -v --version
  `),
    interpreter(["--run"]),
  ),
  stopping("lua luajit", ["-e=", "-l=", "-v"], interpreter(["-e"])),
  stopping("Rscript R", ["-e=", "--version"], interpreter(["-e"])),
  stopping("osascript", ["-e=", "-l=", "-s="], interpreter(["-e"])),
  stopping(
    "tsx ts-node jiti swift julia elixir groovy scala tclsh expect guile racket",
    ["-e --eval=", "-r --require=", "-v --version"],
    interpreter(["--eval"]),
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
    names: ["cargo", "go", "dotnet", "swiftpm", "mix", "stack", "cabal", "deno", "zig"],
    grammar: { stop: true },
    subcommands: [],
    effects: opaque,
  },
  opaqueProgram(
    "docker podman nerdctl docker-compose kubectl helm terraform tofu pulumi ansible ansible-playbook vagrant aws gcloud az gh glab heroku fly vercel netlify",
  ),
  opaqueProgram("vim vi nvim emacs nano ed ex code crontab at batch tmux screen gdb lldb"),
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
  checker("prettier", ["--write", "-w"], ["-w --write", "-c --check", "--config=", "--parser=", "--ignore-path="]),
  opaqueProgram(
    "vitest jest mocha ava tap c8 nyc playwright cypress pytest phpunit rspec webpack vite rollup esbuild turbo nx lerna next nuxt astro storybook svelte-kit prisma drizzle-kit gcc g++ cc c++ clang clang++ rustc ld ar strip",
    ["-t --testNamePattern=", "-c --config=", "-o="],
  ),
  program(
    "psql",
    optionList(`
    -c --command=; -f --file=; -d --dbname=; -h --host=; -p --port=; -U --username=; -o --output=; -v
    --set=; -L --log-file=; -F --field-separator=; -t --tuples-only; -A --no-align; -q --quiet; -X
    --no-psqlrc; -1 --single-transaction
  `),
    database,
  ),
  program(
    "mysql mariadb",
    optionList(`
    -e --execute=; -h --host=; -P --port=; -u --user=; -p --password=?; -D --database=; --init-file=
  `),
    database,
  ),
  program("sqlite3 mongo mongosh redis-cli", ["-h --host=", "-p --port=", "--eval=", "-cmd=", "-init="], database),
];
