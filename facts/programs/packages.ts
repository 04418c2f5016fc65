import { type Field, homeField, literalField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { npxGrammar } from "./package-runners.ts";
import { type Call, type Effects, type Program, type Subcommand, subcommand } from "./program.ts";

/** Where a package comes from by the form of its name. Source: threats page, class 17. */
function sourceOf(name: string): string {
  if (/^(?:https?:)/i.test(name)) return "url";
  if (/^(?:git\+|git:|ssh:|git@)|\.git(?:#|$)/i.test(name)) return "git";
  if (/^(?:github|gitlab|bitbucket|gist):/i.test(name) || /^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(name)) return "git";
  if (/^(?:file:|link:|\.{0,2}\/|~)/.test(name) || /\.(?:tgz|tar\.gz|whl|gem|deb|rpm|crate)$/i.test(name))
    return "file";
  return "registry";
}

function installOne(call: Call, manager: string, word: Field): void {
  const source = sourceOf(word.text);
  call.to.install(manager, source, word.text);
  if (source === "url") call.to.network(word, "download");
  if (source === "file") call.to.read({ ...word, text: word.text.replace(/^(?:file|link):/, "") });
}

/** Adds packages: install scripts run unless they are switched off. */
function add(manager: string): Effects {
  return (call) => {
    for (const word of call.operands) installOne(call, manager, word);
    if (call.operands.length === 0) call.to.install(manager, "lockfile", "");
    for (const name of ["--requirement", "--constraint"]) for (const file of call.values(name)) call.to.read(file);
    for (const name of ["--registry", "--index-url", "--extra-index-url"])
      for (const url of call.values(name)) call.to.network(url, "download");
    if (call.has("--ignore-scripts")) return;
    call.to.run(`${manager} install scripts`);
    call.to.doubt("installing packages runs their scripts");
  };
}

function runs(call: Call): void {
  const script =
    call.subcommand === "run" || call.subcommand === "run-script" ? call.operands[0]?.text : call.subcommand;
  call.to.run(`${call.program} ${script ?? ""}`.trim());
  call.to.doubt("what the package script does is not analysed");
}

function publishes(call: Call): void {
  call.to.network(call.value("--registry") ?? "registry.npmjs.org", "upload");
  call.to.run(`${call.program} ${call.subcommand}`);
  call.to.doubt("publishing runs package scripts");
}

function configures(call: Call): void {
  const [verb, key] = call.operands;
  if (!verb || !["set", "delete", "edit", "fix"].includes(verb.text)) return;
  call.to.write(
    homeField(
      call.program === "pip" ? "~/.config/pip/pip.conf" : call.has("--location") ? ".npmrc" : "~/.npmrc",
      call.draft.place,
    ),
  );
  call.to.config(key?.text.replace(/=.*/s, "") ?? "");
}

const jsOptions = optionList(`
    -D --save-dev --dev; -g --global; -w --workspace=; -C --prefix --dir --cwd=; --registry=;
    --ignore-scripts; --location=; --filter=; --silent; -f --force; -P --save-prod; -E --save-exact; -O
    --save-optional; --frozen-lockfile; --no-audit; --no-fund; --legacy-peer-deps; --if-present
  `);

function jsManager(name: string): readonly Subcommand[] {
  return [
    subcommand(
      "install i ci add in isntall clean-install install-test it update up upgrade import link dedupe",
      jsOptions,
      add(name),
    ),
    subcommand("run run-script test t start stop restart build dev lint", jsOptions, runs),
    subcommand("exec x dlx create init", ["-y --yes", "-p --package=", "-c --call="], runsPackage),
    subcommand("publish unpublish deprecate dist-tag owner access", jsOptions, publishes),
    subcommand("config c", jsOptions, configures),
    subcommand(
      "ls list ll la view info show v outdated audit why explain version help search root prefix bin ping doctor fund pack query licenses",
      jsOptions,
    ),
    subcommand("uninstall remove rm un r unlink prune cache store", jsOptions, (call) =>
      call.to.write(literalField("node_modules", call.draft.place)),
    ),
  ];
}

/** `npx name`: downloads the package unless it is there, and runs it. */
function runsPackage(call: Call): void {
  const [name] = call.operands;
  const packages = call.values("--package");
  for (const one of packages.length > 0 ? packages : name ? [name] : []) installOne(call, call.program, one);
  call.to.run(name?.text ?? call.program);
  call.to.doubt("a package's program is run");
}

const pipOptions = optionList(`
    -r --requirement=; -c --constraint=; -e --editable=; -i --index-url=; --extra-index-url=; -f
    --find-links=; -t --target=; --prefix=; --root=; -U --upgrade; -q --quiet; -y --yes; --user;
    --no-deps; --pre; --no-cache-dir; --trusted-host=; --break-system-packages
  `);

function pipInstall(call: Call): void {
  add("pip")(call);
  for (const one of call.values("--editable")) installOne(call, "pip", one);
}

function systemInstall(manager: string): Effects {
  return (call) => {
    for (const word of call.operands) installOne(call, manager, word);
    call.to.doubt("installing packages runs their scripts");
  };
}

function systemManager(names: string): Program {
  const list = names.split(" ");
  const manager = list[0] as string;
  return {
    names: list,
    grammar: {
      options: ["-y --yes --assume-yes", "-q --quiet", "-t --target-release=", "-o --option=", "-c --config-file="],
      stop: true,
    },
    subcommands: [
      subcommand(
        "install add reinstall upgrade dist-upgrade full-upgrade update -S -Sy -Syu -U get download build-dep tap",
        [
          "-y --yes --assume-yes",
          "-q --quiet",
          "-t --target-release=",
          "-o --option=",
          "--no-install-recommends",
          "--cask",
        ],
        systemInstall(manager),
      ),
      subcommand("search show list info policy depends rdepends help version -Q -Ss -Qs -Si deps leaves", []),
    ],
    effects: (call) => {
      if (call.subcommand !== "") return;
      call.to.run(`${manager} ${call.operands[0]?.text ?? ""}`.trim());
      call.to.doubt("what the package manager does is not known");
    },
  };
}

/** Package managers and package runners. */
export const packagePrograms: readonly Program[] = [
  ...["npm", "pnpm", "yarn", "bun"].map(
    (name): Program => ({
      names: [name],
      grammar: {
        options: optionList(`
    -C --prefix --dir --cwd=; -w --workspace=; --filter=; --registry=; -s --silent; -g --global; -r
    --recursive
  `),
        stop: true,
      },
      subcommands: jsManager(name),
      effects: (call) => {
        if (call.subcommand !== "") return;
        if (call.operands.length === 0 && name !== "yarn") return;
        call.to.run([name, ...call.operands.slice(0, 1).map((word) => word.text)].join(" "));
        call.to.doubt("what the package script does is not analysed");
      },
    }),
  ),
  { names: ["npx", "bunx", "pnpx", "uvx"], grammar: npxGrammar, effects: runsPackage },
  {
    names: ["pip", "pipx", "uv", "poetry", "pipenv", "conda", "mamba"],
    grammar: { options: ["-q --quiet", "-v --verbose", "--proxy=", "--python="], stop: true },
    subcommands: [
      subcommand("install add sync", pipOptions, pipInstall),
      subcommand("download wheel", pipOptions, pipInstall),
      subcommand("config", pipOptions, configures),
      subcommand("list show freeze check search help index inspect cache", pipOptions),
      subcommand("uninstall remove", pipOptions, (call) => call.to.doubt("which files are removed is not known")),
      subcommand("run", pipOptions, runs),
    ],
    effects: (call) => {
      if (call.subcommand !== "" || call.operands.length === 0) return;
      call.to.run(`${call.program} ${call.operands[0]?.text ?? ""}`);
      call.to.doubt("what the package manager does is not known");
    },
  },
  {
    names: ["gem", "composer", "bundle", "bundler"],
    grammar: { stop: true },
    subcommands: [
      subcommand("install add require update", ["-v --version=", "--source="], add("gem")),
      subcommand("list search info show outdated check", []),
    ],
    effects: (call) => call.subcommand === "" && call.to.doubt("what the package manager does is not known"),
  },
  systemManager("apt apt-get aptitude"),
  systemManager("brew"),
  systemManager("dnf yum microdnf zypper"),
  systemManager("apk"),
  systemManager("pacman yay paru"),
  systemManager("snap flatpak choco winget scoop port"),
];
