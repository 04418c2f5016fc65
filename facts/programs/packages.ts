import { homeField, literalField, textOfField, withText } from "../shell/fields.ts";
import { mayNameHost } from "./addresses.ts";
import { optionList } from "./grammar.ts";
import { canonicalManager } from "./managers.ts";
import { operate } from "./operations.ts";
import { npxGrammar } from "./package-runners.ts";
import { installListed, installOne } from "./package-sources.ts";
import { type Call, type Effects, type Program, type Subcommand, subcommand } from "./program.ts";
import { publish, publishes } from "./publishing.ts";

/** Adds packages: install scripts run unless they are switched off. */
function add(manager: string): Effects {
  return (call) => {
    for (const word of call.operands) installOne(call, manager, word);
    const listed = call.operands.length === 0 && !call.has("--editable");
    if (listed) installListed(call, manager);
    for (const name of ["--requirement", "--constraint"])
      for (const file of call.values(name))
        if (/^https?:/i.test(file.text)) installOne(call, manager, file);
        else call.to.read(file);
    for (const name of ["--registry", "--index-url", "--extra-index-url", "--default-index", "--index", "--find-links"])
      for (const url of call.values(name)) if (mayNameHost(url, /^https?:/i)) call.to.network(url, "download");
    scriptsRun(call, manager);
  };
}

function scriptsRun(call: Call, manager: string): void {
  if (call.has("--ignore-scripts")) return;
  call.to.run(`${manager} install scripts`);
  call.to.doubt("installing packages runs their scripts");
}

function runs(call: Call): void {
  const script =
    call.subcommand === "run" || call.subcommand === "run-script" ? call.operands[0]?.text : call.subcommand;
  call.to.run(`${call.program} ${script ?? ""}`.trim());
  call.to.doubt("what the package script does is not analysed");
}

/** `npm publish` and other commands that change a package for everyone; a folder or archive that is published is no name. */
function changesPackages(call: Call): void {
  const [first, ...rest] = call.operands;
  if (/^(?:ls|list|get|get-status)$/.test(first?.text ?? "")) return;
  const verb = packageVerbs.get(call.subcommand) ?? call.subcommand;
  const names =
    call.subcommand === "publish" ? [] : packageVerbs.has(call.subcommand) ? call.operands.slice(0, 1) : rest;
  publish(call, "npm", "registry.npmjs.org", verb, names.slice(0, 1));
}

const packageVerbs: ReadonlyMap<string, string> = new Map([
  ["publish", "publish"],
  ["unpublish", "delete"],
  ["deprecate", "deprecate"],
]);

/** `yarn npm publish` and similar commands: like `yarn publish`, one word later. */
function yarnPublishes(call: Call): void {
  const [verb] = call.operands;
  if (verb?.text === "publish") publish(call, "npm", "registry.npmjs.org", "publish", []);
  else runs(call);
}

/** `yarn workspace NAME add …`: like `yarn add`, behind the name of a package in the project. */
function addsToWorkspace(call: Call): void {
  const [, verb, ...packages] = call.operands;
  if (!verb || !/^(?:add|upgrade|up|install)$/.test(verb.text)) return unknownBelow(call);
  for (const word of packages) installOne(call, "yarn", word);
  scriptsRun(call, "yarn");
}

/** Commands below `global`, which installs for all projects of a user. */
function globalGroup(subcommands: readonly Subcommand[]): Subcommand {
  return {
    names: ["global"],
    grammar: { stop: true },
    subcommands,
    effects: unknownBelow,
  };
}

function configures(call: Call): void {
  const [verb, key, value] = call.operands;
  if (verb?.text === "get" && key && /_auth|token|password/i.test(key.text))
    call.to.read(homeField(call.program === "pip" ? "~/.pypirc" : "~/.npmrc", call.draft.place));
  if (!verb || !["set", "delete", "edit", "fix"].includes(verb.text)) return;
  call.to.write(
    homeField(
      call.program === "pip" ? "~/.config/pip/pip.conf" : call.has("--location") ? ".npmrc" : "~/.npmrc",
      call.draft.place,
    ),
  );
  call.to.config(key?.text.replace(/=.*/s, "") ?? "");
  if (!key || !/registry|index-url|proxy/i.test(key.text)) return;
  const address = key.text.includes("=") ? withText(key, key.text.replace(/^[^=]*=/s, "")) : value;
  if (address && mayNameHost(address)) call.to.network(address, "both", "later");
}

const jsOptions = optionList(`
    -D --save-dev --dev; -g --global; -w --workspace=; -C --prefix --dir --cwd=; --registry=;
    --ignore-scripts; --location=; --filter=; --silent; -f --force; -P --save-prod; -E --save-exact; -O
    --save-optional; --frozen-lockfile; --no-audit; --no-fund; --legacy-peer-deps; --if-present
  `);

function jsManager(name: string): readonly Subcommand[] {
  return [
    subcommand(
      "install i ci ic install-clean add a in ins inst isntall clean-install install-test it update up upgrade import link dedupe",
      jsOptions,
      add(name),
    ),
    subcommand("run run-script test t tst start stop restart build dev lint", jsOptions, runs),
    subcommand(
      "exec x dlx create init",
      // To the others it is a switch.
      [...runnerOptions, "--registry=", name === "npm" ? "-w --workspace=" : "-w --workspace-root"],
      runsPackage,
    ),
    subcommand(
      "publish unpublish deprecate dist-tag owner access",
      [...jsOptions, "--dry-run", "--tag="],
      changesPackages,
    ),
    ...(name === "yarn"
      ? [
          subcommand("npm", jsOptions, yarnPublishes),
          subcommand("workspace", jsOptions, addsToWorkspace),
          globalGroup([
            subcommand("add upgrade", jsOptions, add("yarn")),
            subcommand("list bin dir remove", jsOptions),
          ]),
        ]
      : []),
    subcommand("config c", jsOptions, configures),
    subcommand("set", jsOptions, (call) => {
      const [name] = call.operands;
      if (name) call.to.config(name.text.replace(/=.*$/s, ""), name.kind !== "unknown");
    }),
    subcommand(
      "ls list ll la view info show v outdated audit why explain version help search root prefix bin ping doctor fund pack query licenses",
      jsOptions,
    ),
    subcommand("uninstall remove rm un r unlink prune cache store", jsOptions, (call) =>
      call.to.write(literalField("node_modules", call.draft.place)),
    ),
  ];
}

const runnerOptions: readonly string[] = ["-y --yes", "-p --package=", "-c --call=", "--no", "--no-install"];

/** `npx name`: downloads the package unless it is there, and runs it. */
function runsPackage(call: Call): void {
  const [name] = call.operands;
  const packages = ["--package", "--from", "--spec"].flatMap((option) => call.values(option));
  for (const one of packages.length > 0 ? packages : name ? [name] : []) {
    const isFile = /^(?:\.{0,2}\/|~)/.test(one.text) && !/\.tgz$/.test(one.text);
    if (!isFile && !call.has("--no-install") && !call.has("--no"))
      installOne(call, canonicalManager(call.program), one);
  }
  call.to.run(name?.text ?? call.program);
  call.to.doubt("a package's program is run");
}

const pipOptions = optionList(`
    -r --requirement=; -c --constraint=; -e --editable=; -i --index-url=; --extra-index-url=; -f
    --find-links=; -t --target=; --prefix=; --root=; -U --upgrade; -q --quiet; -y --yes; --user;
    --no-deps; --pre; --no-cache-dir; --trusted-host=; --break-system-packages; --index=; --default-index=; --spec=;
    --from=; --with=; --python=; --dev; -G --group=; --source=; --git=; --frozen; --locked; --pip-args=; --extra=;
    --publish-url=; --repository=; --dry-run; -C --directory=; -P --project=; --cache-dir=; --config-file=
  `);
/** Options before the subcommand. */
const installerGlobals = optionList(`
    -q --quiet; -v --verbose; --proxy=; --python=; -C --directory=; -P --project=; --cache-dir=; --config-file=; --color=;
    --log=; --cert=; --no-input; --isolated; --offline; -n --no-interaction; --no-plugins; --no-cache
  `);
const condaOptions = optionList(`
    -c --channel=; -n --name=; -p --prefix=; -y --yes; --file=; --override-channels; --freeze-installed; -q --quiet;
    --dry-run
  `);

function pipInstall(call: Call): void {
  add("pip")(call);
  for (const one of call.values("--editable")) installOne(call, "pip", one);
  for (const one of call.values("--git")) call.to.install("pip", "git", textOfField(one));
}

const pixiOptions: readonly string[] = [
  ...condaOptions,
  ...optionList(
    "--pypi; --git=; --branch=; --tag=; --rev=; -f --feature=; --platform=; --manifest-path=; -e --environment=",
  ),
];

/** Default channels of conda. */
const usualChannels = /^(?:defaults|main|conda-forge|bioconda|pytorch|nvidia)$/;

/** A package by its address or file. */
const archive = /:\/\/|\.(?:conda|tar\.bz2)$/;

/** `conda install`: a channel is a registry of its own. */
function condaInstall(call: Call): void {
  const channels = call.values("--channel").filter((channel) => !usualChannels.test(channel.text));
  for (const word of call.operands)
    for (const source of channels.length > 0 ? channels.map((channel) => channel.text) : ["registry"])
      if (call.has("--git")) call.to.install("conda", "git", textOfField(word));
      else if (source === "registry" && (call.has("--pypi") || archive.test(word.text)))
        installOne(call, call.has("--pypi") ? "pip" : "conda", word);
      else call.to.install("conda", source, textOfField(word));
  for (const file of call.values("--file")) call.to.read(file);
  call.to.run("conda install scripts");
  call.to.doubt("installing packages runs their scripts");
}

/** Below `uv pip` and `uv tool`. */
const uvGroups: readonly Subcommand[] = [
  {
    names: ["pip"],
    grammar: { stop: true },
    subcommands: [
      subcommand("install sync", pipOptions, pipInstall),
      subcommand("list show freeze check tree compile", pipOptions),
      subcommand("uninstall", pipOptions, (call) => call.to.doubt("which files are removed is not known")),
    ],
    effects: unknownBelow,
  },
  {
    names: ["tool"],
    grammar: { stop: true },
    subcommands: [
      subcommand("install upgrade", pipOptions, pipInstall),
      { names: ["run"], grammar: { options: pipOptions, stop: true }, effects: runsPackage },
      subcommand("list dir uninstall update-shell", pipOptions),
    ],
    effects: unknownBelow,
  },
];

function unknownBelow(call: Call): void {
  call.to.run(`${call.program} ${call.subcommand}`);
  call.to.doubt("what the package manager does is not known");
}

/** Install commands of gem, composer and bundler. */
const rubyInstall = subcommand(
  "install i add require r update u upgrade create-project",
  ["-v --version=", "--source=", "--repository=", "--git=", "--github=", "--path=", "--group="],
  (call) => {
    const repository = call.value("--git") ?? call.value("--github");
    if (repository) call.to.install(call.program, "git", textOfField(repository));
    else add(call.program)(call);
  },
);

function systemInstall(manager: string): Effects {
  return (call) => {
    for (const word of call.operands) installOne(call, manager, word);
    call.to.doubt("installing packages runs their scripts");
  };
}

/** Managers that take the version of a package as an option. */
const versioned: ReadonlySet<string> = new Set(["choco", "winget", "snap"]);

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
        "install add reinstall upgrade dist-upgrade full-upgrade update get download build-dep",
        [
          "-y --yes --assume-yes",
          "-q --quiet",
          "-t --target-release=",
          "-o --option=",
          "--no-install-recommends",
          "--cask",
          ...(versioned.has(manager) ? ["-v --version=", "--revision="] : []),
        ],
        systemInstall(manager),
      ),
      subcommand(
        "remove purge autoremove uninstall erase del rm zap",
        ["-y --yes --assume-yes", "-q --quiet"],
        (call) => operate(call, "system", "delete", "package", call.operands),
      ),
      subcommand("tap", [], (call) => {
        for (const word of call.operands.slice(0, 1)) call.to.install(manager, "git", textOfField(word));
        call.to.doubt("what is tapped can be installed by its name");
      }),
      subcommand("search show list ls info abv policy depends rdepends help version -Q -Ss -Qs -Si deps leaves", []),
    ],
    effects: (call) => {
      if (call.subcommand !== "") return;
      // pacman names its verbs by options.
      if (manager === "pacman" && call.words.some((word) => /^(?:-R\w*|--remove)$/.test(word.text)))
        return operate(call, "system", "delete", "package", call.operands);
      const syncs = call.words.some((word) => /^-(?:S[yuw]*|U|-sync|-upgrade)$/.test(word.text));
      if (syncs) return systemInstall(manager)(call);
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
    names: ["pipx"],
    grammar: { options: ["-q --quiet", "-v --verbose", "--global"], stop: true },
    subcommands: [
      subcommand("install inject upgrade", pipOptions, pipInstall),
      { names: ["run"], grammar: { options: pipOptions, stop: true }, effects: runsPackage },
      subcommand("list environment uninstall ensurepath", pipOptions),
    ],
    effects: (call) => call.subcommand === "" && call.operands.length > 0 && unknownBelow(call),
  },
  {
    names: ["conda", "mamba"],
    grammar: { stop: true },
    subcommands: [
      subcommand("install create update upgrade", condaOptions, condaInstall),
      subcommand("list info search env config activate deactivate", condaOptions),
    ],
    effects: (call) => call.subcommand === "" && call.operands.length > 0 && unknownBelow(call),
  },
  {
    names: ["pixi"],
    grammar: { options: ["-q --quiet", "-v --verbose", "--manifest-path="], stop: true },
    subcommands: [
      subcommand("add install upgrade update", pixiOptions, condaInstall),
      globalGroup([subcommand("install upgrade update", pixiOptions, condaInstall)]),
      subcommand("list ls info search tree shell-hook version completion", pixiOptions),
    ],
    effects: (call) => call.subcommand === "" && call.operands.length > 0 && unknownBelow(call),
  },
  {
    names: ["pip", "uv", "poetry", "pipenv"],
    grammar: { options: installerGlobals, stop: true },
    subcommands: [
      ...uvGroups,
      subcommand("publish", pipOptions, publishes("pypi", "upload.pypi.org")),
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
      rubyInstall,
      globalGroup([rubyInstall]),
      // A plugin of `gem` that builds a gem from a repository.
      subcommand("specific_install git_install", ["-l --location=", "-b --branch=", "-d=", "-r="], (call) => {
        for (const name of [...call.values("--location"), ...call.operands.slice(0, 1)])
          call.to.install("gem", "git", textOfField(name));
        call.to.doubt("installing packages runs their scripts");
      }),
      subcommand("list search info show outdated check", []),
      subcommand("push", ["--host=", "-k --key="], publishes("rubygems", "rubygems.org")),
      subcommand("yank", ["-v --version=", "--host="], publishes("rubygems", "rubygems.org", "delete")),
    ],
    effects: (call) => call.subcommand === "" && call.to.doubt("what the package manager does is not known"),
  },
  ...["apt apt-get aptitude", "brew", "dnf yum microdnf", "zypper", "apk", "pacman yay paru"].map(systemManager),
  ...["snap", "flatpak", "choco", "winget", "scoop", "port"].map(systemManager),
];
