import { textOfField, withText } from "../shell/fields.ts";
import { type Grammar, optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import { installListed, installOne } from "./package-sources.ts";
import { type Call, type Program, type Subcommand, subcommand } from "./program.ts";
import { publish, publishes } from "./publishing.ts";
import { spelled } from "./spelled.ts";

/** Reports a command of a language tool that runs code: that code is not analysed. */
function opaque(call: Call): void {
  call.to.run(
    [call.program, call.subcommand || (call.operands[0]?.text ?? "")].filter((word) => word !== "").join(" "),
  );
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

const cargoOptions = optionList(`
    --git=; --branch=; --tag=; --rev=; --path=; --registry=; --index=; --version=; --vers=; -F --features=; -p
    --package=; --root=; --locked; -f --force; -j --jobs=; -q --quiet; -v --verbose; --dev; --build; --rename=;
    --manifest-path=; --target=; --profile=; --token=; --dry-run; -n; --undo; --target-dir=; --config=; -C=; -Z=; --color=;
    --bin=; --example=; --message-format=; --lockfile-path=; --base=; --pkg-url=; --pkg-fmt=; --bin-dir=;
    --targets=; --strategies=; --install-path=; --artifact-dir=
  `);

/** `cargo add`, `install`: from a registry, a repository (`--git`) or a folder (`--path`). */
function crates(call: Call): void {
  const git = call.value("--git");
  const path = call.value("--path");
  if (git) call.to.install("cargo", "git", textOfField(git));
  else if (path) call.to.install("cargo", "file", textOfField(path));
  else for (const name of call.operands) installOne(call, "cargo", name);
  if (git) call.to.network(git, "download");
  opaque(call);
}

const isLocal = (text: string): boolean => /^(?:\.|\/|~|$)/.test(text) || /\.go$/.test(text) || text === "tool";

/** `go get`, `install`, `run path@version`: reports a module by its path; packages of this module do not count. */
function modules(call: Call): void {
  const named = call.subcommand === "run" ? call.operands.slice(0, 1) : call.operands;
  for (const name of named)
    if (!isLocal(name.text) && (call.subcommand === "get" || name.text.includes("@"))) installOne(call, "go", name);
  opaque(call);
}

const remoteScript = /^(?:https?:\/\/|npm:|jsr:)/i;

/** Settings of Go for the source of modules, the checks on them, and the programs that a build runs. */
const goSettings = /^(?:GOPROXY|GOFLAGS|GOSUMDB|GONOSUMDB|GONOSUMCHECK|GOINSECURE|GOTOOLCHAIN|CC|CXX)$/;

/** `deno run`, `install`, `add`: a script or package that is named by its address. */
function scripts(call: Call): void {
  const named = call.subcommand === "add" || call.subcommand === "install" ? call.operands : call.operands.slice(0, 1);
  for (const name of named.filter((word) => remoteScript.test(word.text))) installOne(call, "deno", name);
  opaque(call);
}

function nuget(call: Call): void {
  const [first, second] = call.operands[0]?.text.endsWith("proj") ? call.operands.slice(1) : call.operands;
  const name = first?.text === "package" ? second : call.subcommand.endsWith("install") ? first : undefined;
  if (name) installOne(call, "dotnet", name);
  opaque(call);
}

const nugetOptions = optionList(
  "-s --source -Source=; -k -ApiKey=; -SkipDuplicate; -Version=; -OutputDirectory=; -ExcludeVersion; -Prerelease",
);

const cargoGlobals = optionList(
  "--manifest-path=; --config=; -C=; -Z=; --color=; --target-dir=; -q --quiet; -v --verbose; --offline; --locked; --frozen",
);

/** `globals` are the options before the subcommand. */
function language(names: string, subcommands: readonly Subcommand[], globals: Grammar = {}): Program {
  return {
    names: names.split(" "),
    grammar: { ...globals, stop: true },
    subcommands,
    effects: (call) => call.subcommand === "" && opaque(call),
  };
}

/** Package commands of language tools; their other commands are opaque. Source: threats page, class 17. */
export const languagePackages: readonly Program[] = [
  language(
    "cargo",
    [
      subcommand("install add binstall", cargoOptions, crates),
      subcommand("publish", cargoOptions, (call) => publish(call, "crates", "crates.io", "publish", [])),
      subcommand("yank", cargoOptions, publishes("crates", "crates.io", "delete")),
      subcommand("owner", [...cargoOptions, "-a --add=", "-r --remove=", "-l --list"], (call) => {
        for (const who of call.values("--add"))
          call.to.config(spelled`crates grant package/${who}`, who.kind !== "unknown");
        opaque(call);
      }),
    ],
    { options: cargoGlobals, plus: true },
  ),
  language(
    "go",
    [
      {
        names: ["mod"],
        grammar: { stop: true },
        subcommands: [
          subcommand(
            "download tidy vendor",
            optionList("-modcacherw; -x; -v; -json; -reuse=; -go=; -compat=; -e; -o="),
            (call) => {
              installListed(call, "go");
              opaque(call);
            },
          ),
        ],
        effects: (call) => !/ (?:download|tidy|vendor)$/.test(call.subcommand) && opaque(call),
      },
      {
        names: ["env"],
        grammar: { options: ["-w", "-u", "-json", "-changed"], single: true },
        effects: (call) => {
          if (!call.has("-w") && !call.has("-u")) return;
          for (const word of call.operands) {
            const name = word.text.replace(/=.*$/s, "");
            if (goSettings.test(name)) call.to.config(name, word.kind !== "unknown");
          }
        },
      },
      subcommand(
        "get install run",
        optionList("-u; -t; -d; -x; -v; -race; -tags=; -ldflags=; -mod=; -o=; -C="),
        modules,
      ),
    ],
    { options: ["-C="] },
  ),
  language("cabal stack", [
    subcommand(
      "install get unpack update build run test",
      optionList("-v; -j=; --lib; --overwrite-policy=; --installdir=; -w="),
      (call) => {
        if (/^(?:install|get|unpack)$/.test(call.subcommand))
          for (const name of call.operands) if (/:\/\//.test(name.text)) installOne(call, "cabal", name);
        opaque(call);
      },
    ),
  ]),
  language("deno", [
    subcommand(
      "run install add",
      optionList("-A --allow-all; -n --name=; -g --global; -f --force; -r --reload=?"),
      scripts,
    ),
  ]),
  language("dotnet", [
    subcommand("add", optionList("-v --version=; -s --source=; --prerelease; -f --framework="), nuget),
    {
      names: ["tool"],
      grammar: { stop: true },
      subcommands: [
        subcommand("install update", optionList("-g --global; --version=; --add-source=; --tool-path="), (call) => {
          for (const name of call.operands) installOne(call, "dotnet", name);
          opaque(call);
        }),
      ],
      effects: (call) => !/ (?:install|update)$/.test(call.subcommand) && opaque(call),
    },
    {
      names: ["new"],
      grammar: { stop: true },
      subcommands: [
        subcommand(
          "install --install -i",
          optionList("--add-source --nuget-source=; --force; --interactive"),
          (call) => {
            for (const name of call.operands) installOne(call, "dotnet", name);
            opaque(call);
          },
        ),
      ],
      effects: (call) => call.subcommand === "new" && opaque(call),
    },
    subcommand(
      "restore build run test publish pack",
      optionList(
        "-s --source=; -c --configuration=; -f --framework=; -r --runtime=; -o --output=; -v --verbosity=; --project=",
      ),
      (call) => {
        if (call.subcommand === "restore" || call.has("--source")) installListed(call, "dotnet");
        opaque(call);
      },
    ),
    {
      names: ["nuget"],
      grammar: { stop: true },
      subcommands: [
        subcommand(
          "push",
          optionList("-s --source=; -k --api-key=; --skip-duplicate"),
          publishes("nuget", "api.nuget.org"),
        ),
        subcommand("delete", optionList("-s --source=; -k --api-key="), publishes("nuget", "api.nuget.org", "delete")),
      ],
      effects: (call) => !/ (?:push|delete)$/.test(call.subcommand) && opaque(call),
    },
  ]),
  language("nuget", [
    {
      names: ["install"],
      grammar: { options: nugetOptions, single: true },
      effects: (call) => {
        for (const name of call.operands) installOne(call, "dotnet", name);
        opaque(call);
      },
    },
    { names: ["push"], grammar: { options: nugetOptions, single: true }, effects: publishes("nuget", "api.nuget.org") },
  ]),
  language("mix", [
    subcommand(
      "archive.install escript.install local.hex",
      optionList("-f --force; --sha512=; --branch=; --tag=; --ref="),
      (call) => {
        const [kind, name] = call.operands;
        if (name && /^(?:git|github)$/.test(kind?.text ?? "")) call.to.install("mix", "git", textOfField(name));
        else if (name && kind?.text === "hex") installOne(call, "mix", name);
        else if (kind) installOne(call, "mix", kind);
        opaque(call);
      },
    ),
  ]),
  {
    names: ["dpkg", "rpm"],
    grammar: {
      options: optionList(
        "-i --install; -U --upgrade; -r --remove; -P --purge; -l --list; -L; -S; -s; -q; -e --erase; --force-all; --nodeps",
      ),
    },
    effects: systemFiles,
  },
];

/** `dpkg -i`, `rpm -U`: packages from files or addresses, whose scripts run as root. */
function systemFiles(call: Call): void {
  if (["--list", "-L", "-S", "-s", "-q"].some((name) => call.has(name))) return;
  if (call.has("--remove") || call.has("--purge") || call.has("--erase")) {
    operate(call, "system", "delete", "package", call.operands);
    return;
  }
  const adds = call.has("--install") || call.has("--upgrade");
  for (const word of adds ? call.operands : [])
    installOne(call, call.program, /[/:]/.test(word.text) ? word : withText(word, `./${word.text}`));
  if (adds && call.operands.length === 0) installListed(call, call.program);
  opaque(call);
}
