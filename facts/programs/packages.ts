import { homeField, textOfField, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { jsPrograms } from "./js-packages.ts";
import { operate } from "./operations.ts";
import { add, configures, globalGroup, runs, runsPackage, unknownBelow } from "./package-effects.ts";
import { npxGrammar } from "./package-runners.ts";
import { installOne } from "./package-sources.ts";
import { type Call, type Effects, type Program, type Subcommand, subcommand } from "./program.ts";
import { publishes } from "./publishing.ts";

const pipOptions = optionList(`
    -r --requirement=; -c --constraint=; -e --editable=; -i --index-url=; --extra-index-url=; -f
    --find-links=; -t --target=; --prefix=; --root=; -U --upgrade; -q --quiet; -y --yes; --user;
    --no-deps; --pre; --no-cache-dir; --trusted-host=; --break-system-packages; --index=; --default-index=; --spec=;
    --from=; --with=; -p --python=; --dev; -G --group=; --source=; --git=; --frozen; --locked; --pip-args=; --extra=;
    --publish-url=; --repository=; --dry-run; -C --directory=; -P --project=; --cache-dir=; --config-file=;
    -d --dest=; --timeout=; --retries=; --proxy=; --log=; --cert=; --client-cert=; --exists-action=; --keyring-provider=;
    --progress-bar=; --upgrade-strategy=; --platform=; --python-version=; --implementation=; --abi=; --src=; --report=;
    --only-binary=; --no-binary=; --config-settings --config-setting=; --global-option=; --install-option=; --hash=;
    --root-user-action=; --use-feature=; --use-deprecated=; --no-build-package=; --no-binary-package=; --overrides=;
    --override=; --build-constraints=; --build-constraint=; --exclude-newer=; --exclude-newer-package=; --index-strategy=;
    --resolution=; --prerelease=; --fork-strategy=; --link-mode=; --python-platform=; --torch-backend=; --package=;
    -m --marker=; --script=; --branch=; --rev=; --tag=; --bounds=; --optional=; --refresh-package=; --upgrade-package=;
    --reinstall-package=; -E --extras=; --categories=; -w --wheel-dir=; --color=; --allow-insecure-host=
  `);
/** Options before the subcommand. */
const installerGlobals = optionList(`
    -q --quiet; -v --verbose; --proxy=; --python=; -C --directory=; -P --project=; --cache-dir=; --config-file=; --color=;
    --log=; --cert=; --no-input; --isolated; --offline; -n --no-interaction; --no-plugins; --no-cache; --timeout=; --retries=;
    --client-cert=; --trusted-host=; --exists-action=; --keyring-provider=; --use-feature=; --use-deprecated=;
    --allow-insecure-host=
  `);
const condaOptions = optionList(`
    -c --channel=; -n --name=; -p --prefix=; -y --yes; --file=; --override-channels; --freeze-installed; -q --quiet;
    --dry-run; -d; --solver=; --experimental-solver=; --repodata-fn=; --platform --subdir=; --revision=; --clone=; --all
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
/** `conda env remove -n ml`, `conda remove -n ml --all`: the folder of an environment goes. */
function removesEnvironment(call: Call): void {
  const place = call.value("--prefix");
  const name = call.value("--name");
  if (call.has("--dry-run") || call.has("-d")) return;
  if (place) call.to.delete(place, true);
  if (name) call.to.delete(homeField(`~/miniconda3/envs/${name.text}`, call.draft.place), true, false);
  operate(call, "conda", "delete", "environment", name ? [name] : place ? [place] : []);
}

function condaRemove(call: Call): void {
  if (call.has("--all")) removesEnvironment(call);
  else if (!call.has("--dry-run") && !call.has("-d")) operate(call, "conda", "delete", "package", call.operands);
}

/** `uv run --with a,b`: packages that are installed beside what runs. */
function installsWith(call: Call): void {
  for (const one of call.values("--with"))
    for (const name of one.text.split(",").slice(0, mostPackages)) installOne(call, "pip", withText(one, name.trim()));
}

// Packages of one value that are told apart.
const mostPackages = 64;

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
      subcommand("install upgrade", pipOptions, (call) => {
        pipInstall(call);
        installsWith(call);
      }),
      { names: ["run"], grammar: { options: pipOptions, stop: true }, effects: runsPackage },
      subcommand("list dir uninstall update-shell", pipOptions),
    ],
    effects: unknownBelow,
  },
];

/** Makes the install commands of gem, composer or bundler. `-n` is a folder for gem and a switch for composer. */
const rubyInstall = (name: string): Subcommand =>
  subcommand(
    "install i add require r update u upgrade create-project",
    optionList(`
    -v --version=; -s --source=; --repository=; --git=; --github=; --path=; --group=; -i --install-dir=; --bindir=;
    --platform=; -B --build-root=; -P --trust-policy=; -p --http-proxy=; -d --working-dir=; --branch=; --ref=; --tag=;
    --glob=; --require=; --prefer-install=; --ignore-platform-req=; --gemfile=; -j --jobs=; --config-file=${name === "gem" ? "; -n=" : ""}
  `),
    (call) => {
      const repository = call.value("--git") ?? call.value("--github");
      if (repository) call.to.install(call.program, "git", textOfField(repository));
      else add(call.program)(call);
    },
  );

/** Makes the row of gem, composer or bundler. */
function rubyManager(name: string): Program {
  const install = rubyInstall(name);
  return {
    names: [name],
    grammar: { stop: true },
    subcommands: [
      install,
      globalGroup([install]),
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
  };
}

function systemInstall(manager: string): Effects {
  return (call) => {
    if (isAsked(call)) return;
    const [first] = call.operands;
    // `flatpak install flathub org.x.Y` names a remote first; `apt install x-` removes `x`, and `x+` is `x`, where `g++` is a name.
    const isRemote = manager === "flatpak" && call.operands.length > 1 && !first?.text.includes(".");
    for (const word of call.operands.slice(isRemote ? 1 : 0)) {
      const removes = manager === "apt" && word.kind === "literal" && /^[^/]+-$/.test(word.text);
      if (removes) operate(call, "system", "delete", "package", [withText(word, word.text.slice(0, -1))]);
      else if (manager === "apt" && /(?:^|[^+])\+$|\+{3}$/.test(word.text) && word.kind === "literal")
        installOne(call, manager, withText(word, word.text.slice(0, -1)));
      else installOne(call, manager, word);
    }
    call.to.doubt("installing packages runs their scripts");
  };
}

/** `dnf swap old new`: removes one package and installs the other. */
function swaps(call: Call): void {
  const [old, ...names] = call.operands;
  if (old) operate(call, "system", "delete", "package", [old]);
  for (const name of names) installOne(call, "dnf", name);
  call.to.doubt("installing packages runs their scripts");
}

/** Options with a value that only one manager has. */
const optionsOf: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "dnf",
    optionList(
      `--repo --repoid=; --enablerepo=; --disablerepo=; --releasever=; --installroot=; --setopt=; -x --exclude=; -c --config=;
       --disableplugin=; --enableplugin=; --repofrompath=; -d --debuglevel=; -e --errorlevel=; --rpmverbosity=; -R
       --randomwait=; --downloaddir --destdir=; --comment=; --color=; --advisory=; --forcearch=; --sec-severity=`,
    ),
  ],
  ["snap", optionList("--channel=")],
  [
    "apk",
    optionList(
      "-t --virtual=; -X --repository=; -p --root=; --arch=; --keys-dir=; --repositories-file=; --cache-dir=; --wait=; --timeout=",
    ),
  ],
  [
    "zypper",
    optionList(
      `-R --root=; --installroot=; --reposd-dir=; --cache-dir=; --raw-cache-dir=; --solv-cache-dir=; --pkg-cache-dir=;
       --releasever=; --plus-repo=; --plus-content=; -r --repo --from=; --type=; -c --config=; --download=`,
    ),
  ],
  [
    "pacman",
    optionList(
      `-b --dbpath=; -r --root=; --cachedir=; --config=; --gpgdir=; --hookdir=; --logfile=; --arch=; --color=; --sysroot=;
       --ignore=; --ignoregroup=; --overwrite=; --assume-installed=; --print-format=; --needed; --noconfirm`,
    ),
  ],
  ["flatpak", optionList("--arch=; --installation=; --subpath=; --gpg-file=; --sideload-repo=; --user; --system")],
  ["brew", optionList("--appdir=; --fontdir=; --colorpickerdir=; --prefpanedir=; --language=; --cc=")],
]);

/** Managers that take the version of a package as an option. */
const versioned: ReadonlySet<string> = new Set(["choco", "winget", "snap"]);

/** `brew services stop redis`: ends services, starts them, or lists them. */
const brewServices: Effects = (call) => {
  const [verb, ...names] = call.operands;
  if (!verb || /^(?:list|ls|info|cleanup)$/.test(verb.text)) return;
  operate(call, "system", verb.text, "service", names);
  if (
    verb.kind !== "literal" ||
    /^(?:stop|restart|kill|terminate|term|t|unload|r|reload|relaunch|k)$/.test(verb.text)
  ) {
    for (const name of names) call.to.kill(textOfField(name), verb.kind === "literal" && name.kind !== "unknown");
    if (call.has("--all")) call.to.kill("every service");
  } else {
    call.to.run("brew services");
    call.to.doubt("what a service does is not known");
  }
};

/** True for a call by whose options pacman only tells something; its words are no subcommands. */
function isAsked(call: Call): boolean {
  return /^(?:pacman|yay|paru)$/.test(call.program) && call.words.some((word) => asksPacman.test(word.text));
}

const asksPacman = /^-(?:Q[a-zA-Z]*|S[silg][a-z]*|F[a-xz]*|-query|T)$/;

function systemManager(names: string): Program {
  const list = names.split(" ");
  const manager = list[0] as string;
  return {
    names: list,
    grammar: {
      options: [
        ...["-y --yes --assume-yes", "-q --quiet", "-t --target-release=", "-o --option=", "-c --config-file="],
        ...(optionsOf.get(manager) ?? []),
        ...(manager === "pacman" ? ["-S --sync", "-R --remove", "-U --upgrade", "-p --print", "-u --sysupgrade"] : []),
      ],
      stop: manager !== "pacman",
    },
    subcommands: [
      subcommand(
        "install in add reinstall upgrade dist-upgrade full-upgrade update dup get download build-dep",
        [
          "-y --yes --assume-yes",
          "-q --quiet",
          "-t --target-release=",
          "-o --option=",
          "--no-install-recommends",
          "--cask",
          ...(optionsOf.get(manager) ?? []),
          ...(versioned.has(manager) ? ["-v --version=", "--revision="] : []),
        ],
        systemInstall(manager),
      ),
      subcommand(
        "remove purge autoremove uninstall erase del rm zap",
        ["-y --yes --assume-yes", "-q --quiet"],
        (call) => isAsked(call) || operate(call, "system", "delete", "package", call.operands),
      ),
      ...(manager === "dnf" ? [subcommand("swap", optionsOf.get("dnf") ?? [], swaps)] : []),
      ...(manager === "brew"
        ? [subcommand("services", ["--all", "--file=", "--json", "--sudo-service-user="], brewServices)]
        : []),
      subcommand("tap", [], (call) => {
        for (const word of call.operands.slice(0, 1)) call.to.install(manager, "git", textOfField(word));
        call.to.doubt("what is tapped can be installed by its name");
      }),
      subcommand("search show list ls info abv policy depends rdepends help version -Q -Ss -Qs -Si deps leaves", []),
    ],
    effects: (call) => {
      if (call.subcommand !== "" || isAsked(call)) return;
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
  ...jsPrograms,
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
      subcommand("list info search config activate deactivate", condaOptions),
      subcommand("remove uninstall", condaOptions, condaRemove),
      {
        names: ["env"],
        grammar: { options: condaOptions, stop: true },
        subcommands: [
          subcommand("remove", condaOptions, removesEnvironment),
          subcommand("list export config", condaOptions),
          subcommand("create update", condaOptions, condaInstall),
        ],
        effects: (call) => call.subcommand === "env" && call.operands.length > 0 && unknownBelow(call),
      },
    ],
    effects: (call) => {
      if (call.subcommand === "" && call.operands.length > 0) unknownBelow(call);
    },
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
      {
        names: ["run"],
        grammar: { options: pipOptions, stop: true },
        effects: (call) => {
          installsWith(call);
          runs(call);
        },
      },
    ],
    effects: (call) => {
      if (call.subcommand !== "" || call.operands.length === 0) return;
      call.to.run(`${call.program} ${call.operands[0]?.text ?? ""}`);
      call.to.doubt("what the package manager does is not known");
    },
  },
  ...["gem", "composer", "bundle", "bundler"].map(rubyManager),
  ...["apt apt-get aptitude", "brew", "dnf yum microdnf", "zypper", "apk", "pacman yay paru"].map(systemManager),
  ...["snap", "flatpak", "choco", "winget", "scoop", "port"].map(systemManager),
];
