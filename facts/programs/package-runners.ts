import type { Field } from "../shell/fields.ts";
import { type Grammar, given, optionList, readArguments, valueOf, valuesOf } from "./grammar.ts";
import { isShell } from "./run-variables.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

/**
 * Options with a value that a manager takes before and after its subcommand. A switch has no place here: it would hide the name of
 * a package. Source: the manuals of each.
 */
const valued: Readonly<Record<"npm" | "pnpm" | "yarn" | "bun", string>> = {
  npm: `--access=; --also=; --audit-level=; --auth-type=; --before=; --ca=; --cache=; --cache-max=; --cache-min=; --cafile=;
    --cert=; --cidr=; --cpu=; --depth=; --diff=; --diff-dst-prefix=; --diff-src-prefix=; --diff-unified=; --editor=;
    --expect-result-count=; --fetch-retries=; --fetch-retry-factor=; --fetch-retry-maxtimeout=; --fetch-retry-mintimeout=;
    --fetch-timeout=; --git=; --globalconfig=; --heading=; --https-proxy=; --include=; --init-author-email=;
    --init-author-name=; --init-author-url=; --init-license=; --init-module=; --init-type=; --init-version=;
    --init.author.email=; --init.author.name=; --init.author.url=; --init.license=; --init.module=; --init.version=;
    --install-strategy=; --key=; --libc=; --local-address=; --location=; --lockfile-version=; --loglevel=; --logs-dir=;
    --logs-max=; --maxsockets=; --node-gyp=; --node-options=; --noproxy=; --omit=; --only=; --os=; --otp=;
    --pack-destination=; --preid=; --provenance-file=; --proxy=; --replace-registry-host=; --save-prefix=; --sbom-format=;
    --sbom-type=; --scope=; --script-shell=; --searchexclude=; --searchlimit=; --searchopts=; --searchstaleness=; --shell=;
    --tag=; --tag-version-prefix=; --umask=; --user-agent=; --userconfig=; --viewer=; --which=`,
  pnpm: `-F --filter=; --filter-prod=; --workspace-concurrency=; --child-concurrency=; --network-concurrency=; --reporter=;
    --loglevel=; --test-pattern=; --changed-files-ignore-pattern=; --store-dir=; --virtual-store-dir=; --lockfile-dir=;
    --modules-dir=; --global-dir=; --global-bin-dir=; --state-dir=; --cache-dir=; --fetch-retries=; --fetch-timeout=;
    --package-import-method=; --save-catalog-name=; --save-prefix=; --resume-from=; --use-node-version=; --hoist-pattern=;
    --public-hoist-pattern=; --node-linker=; --cpu=; --os=; --libc=; --allow-build=; --user-agent=; --tag=; --otp=; --access=;
    --publish-branch=; --depth=; --userconfig=; --minimum-release-age=; --proxy=; --https-proxy=; --noproxy=; --ca=; --cafile=; --cert=; --key=; --resolution-mode=;
    --pnpmfile=; --global-pnpmfile=`,
  yarn: `--cache-folder=; --modules-folder=; --mutex=; --network-concurrency=; --network-timeout=; --proxy=; --https-proxy=;
    --use-yarnrc=; --global-folder=; --link-folder=; --preferred-cache-folder=; --otp=`,
  bun: `-F --filter=; -c --config=?; --cache-dir=; --ca=; --cafile=; --backend=; --concurrent-scripts=; --network-concurrency=;
    --omit=; --linker=; --tag=; --otp=; --access=; --auth-type=; --cpu=; --os=; --minimum-release-age=; --env-file=; --shell=`,
};

/** Options of `npx` and of those like it, up to the program they run. */
export const npxGrammar: Grammar = {
  options: optionList(`${valued.npm};
    -y --yes; --no; -p --package=; -c --call=; -q --quiet; -w --workspace=; --ignore-existing;
    --no-install; --prefer-offline; --from=; --spec=; --with=; --python=; --registry=
  `),
  stop: true,
};

/** Runs a package's program: the runner stays a command of its own, and the program is also judged by its name. */
const npx: Wrapper = {
  names: ["npx", "bunx", "pnpx", "uvx", "pipx-run"],
  unwrap(args) {
    const read = readArguments(npxGrammar, args);
    const text = valueOf(read, "--call");
    if (text) return { self: true, inner: [{ kind: "text", text }] };
    const [first, ...rest] = read.operands;
    if (!first || given(read, "--version")) return undefined;
    const bare = first.text.replace(/^(@?[^@]+)@.*$/s, "$1");
    return { self: true, inner: [{ kind: "words", fields: [{ ...first, text: bare }, ...rest], external: true }] };
  },
};

const shellOption: Grammar = { options: ["--script-shell="] };
/** Options that name a workspace. To `npm` they take a value; to the others `-w` is a switch, as `-W` is to `yarn`. */
function workspaceOptions(manager: string): readonly string[] {
  return manager === "npm"
    ? ["-w --workspace="]
    : ["-w --workspace-root", "-W --ignore-workspace-root-check", "--workspace"];
}

const managerLists = new Map<string, readonly string[]>();

/** Options that these managers have before and after the subcommand. Made once for each: every subcommand has them. */
export function managerOptions(manager: string): readonly string[] {
  const known = managerLists.get(manager);
  if (known) return known;
  const made = [
    ...optionList(`
      -C --prefix --dir --cwd=; --registry --registr --regist --regis --regi --reg=; -s --silent; -r --recursive; --save; --audit;
      --package-lock; --dry-run
    `),
    ...optionList(Object.hasOwn(valued, manager) ? valued[manager as keyof typeof valued] : ""),
    ...workspaceOptions(manager),
  ];
  managerLists.set(manager, made);
  return made;
}

/** Options of each manager before the program that it runs. */
const verbGrammars: ReadonlyMap<string, Grammar> = new Map(
  ["npm", "pnpm", "yarn", "bun", "deno"].map((manager) => [
    manager,
    { options: [...managerOptions(manager), ...(manager === "bun" ? [] : ["-c --shell-mode"])], stop: true },
  ]),
);

/**
 * Words behind `pnpm`, `yarn` and `bun` that are no program of a package and no script of the project. Any other word is one of
 * both. Source: their manuals.
 */
const ownVerbs: ReadonlySet<string> = new Set(
  `access add apply approve-builds audit bin build c cache cat-file cat-index cd ci completion config constraints create dedupe
   deploy deprecate dev dist-tag docs doctor dlx env exec explain explore fetch find-hash fund get global help i ignored-builds import
   in info init install install-test isntall it la licenses licences link lint list ll ln login logout ls node npm outdated owner
   pack patch patch-commit patch-remove ping plugin pm policies prefix prune publish query rb rebuild recursive remove repl
   restart rm root run run-script runtime sbom search self-update server set setup show start stage star stop store t tag team
   test token tst un uninstall unlink unplug unpublish up update upgrade upgrade-interactive upload v version versions view view why
   whoami workspace workspaces x`.split(/\s+/),
);

/** A name that a package may give its program. */
const programName = /^[A-Za-z][\w.-]*$/;

/** `pnpm prisma …`: the program of a package, unless the project has a script of that name. */
function binOf(first: Field, rest: readonly Field[]): Unwrapped | undefined {
  if (first.kind !== "literal" || ownVerbs.has(first.text) || !programName.test(first.text)) return undefined;
  if (/\.\w+$/.test(first.text)) return undefined;
  return { self: true, inner: [{ kind: "words", fields: [first, ...rest], external: true, certain: false }] };
}

function ranBy(manager: string, args: readonly Field[], bins: boolean): Unwrapped | undefined {
  const read = readArguments(verbGrammars.get(manager) as Grammar, args);
  const [first, ...rest] = read.operands;
  if (!first) return undefined;
  if (bins && first.text === "workspace" && rest.length > 1) return ranBy(manager, rest.slice(1), true);
  if (["exec", "x", "dlx"].includes(first.text)) {
    // A single word with blanks, or the mode of a shell, is a text.
    const words = readArguments(npxGrammar, rest).operands;
    const isText = given(read, "--shell-mode") || rest.some(({ text }) => /^(?:-c|--shell-mode)$/.test(text));
    const [only] = words;
    if (only && words.length === 1 && (isText || /\s/.test(only.text)))
      return { self: true, inner: [{ kind: "text", text: only }] };
    return npx.unwrap(rest, undefined);
  }
  const bin = bins ? binOf(first, rest) : undefined;
  if (bin) return bin;
  const dashes = args.findIndex((word) => word.text === "--");
  if (first.text !== "explore" || dashes < 0 || dashes + 1 >= args.length) return undefined;
  return { self: true, inner: [{ kind: "words", fields: args.slice(dashes + 1), external: true }] };
}

/**
 * Makes the wrapper for programs behind a subcommand (`npm exec`, `pnpm dlx`), and behind none where the manager looks for them
 * (`bins`, `pnpm prisma`).
 */
export const behindVerb = (manager: string, bins: boolean): Wrapper => ({
  names: [manager],
  unwrap(args) {
    const found = ranBy(manager, args, bins);
    const inner = valuesOf(readArguments(shellOption, args), "--script-shell")
      .filter((shell) => shell.kind === "unknown" || !isShell(shell.text))
      .map((text): Inner => ({ kind: "text", text, certain: false }));
    return inner.length === 0 ? found : { self: true, inner: [...(found?.inner ?? []), ...inner] };
  },
});

/** Wrappers that fetch a package and run its program. `bun` is left to the row of the runtime. */
export const packageRunners: readonly Wrapper[] = [
  npx,
  behindVerb("npm", false),
  behindVerb("pnpm", true),
  behindVerb("yarn", true),
];
