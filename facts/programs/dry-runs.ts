import type { Field } from "../shell/fields.ts";
import type { GivenOption } from "./grammar.ts";
import type { Description, Reporter } from "./program.ts";

/** Options by which some subcommands of a program only say what they would do. */
interface Rehearsal {
  /** The subcommands; the first operand where the program has no table of them. */
  readonly verbs: RegExp;
  readonly options: ReadonlySet<string>;
  /** True where nothing runs either, no script of a package and no plugin. */
  readonly runsNothing: boolean;
}

/**
 * Lines of programs, subcommands and options. A subcommand that would ignore the option has no place here. Source: their manuals. A
 * row that is not here reads its options itself.
 */
const lines: readonly (readonly [programs: string, verbs: string, options: string, runs?: "nothing"])[] = [
  ["docker podman podman-remote nerdctl finch", "compose .*", "--dry-run"],
  ["docker-compose podman-compose", ".*", "--dry-run"],
  [
    "npm bun",
    `install|i|ci|add|a|in|it|update|up|upgrade|uninstall|remove|rm|un|r|dedupe|prune|clean-install`,
    "--dry-run",
    "nothing",
  ],
  ["pip", "install", "--dry-run"],
  ["uv", "pip (?:install|sync|uninstall)|sync|lock", "--dry-run"],
  ["gem", "install|i|update", "--explain", "nothing"],
  ["cargo", "add|install|update|remove|publish", "-n --dry-run", "nothing"],
  ["poetry composer", "add|install|update|remove|require|u|i", "--dry-run"],
  ["conda mamba", "install|create|update|upgrade|remove", "-d --dry-run", "nothing"],
  ["apt apt-get aptitude", ".*", "-s --simulate --just-print --dry-run --recon --no-act", "nothing"],
  ["brew", "install|reinstall|upgrade|autoremove|cleanup", "-n --dry-run", "nothing"],
  [
    "dnf yum microdnf",
    "(?:local)?install|in|remove|rm|erase|update|upgrade(?:-minimal)?|up|reinstall|downgrade|autoremove|swap|distro-sync|group.*",
    "--assumeno",
    "nothing",
  ],
  ["zypper", "install|in|remove|rm|update|up|dist-upgrade|dup|patch|source-install|si", "-D --dry-run", "nothing"],
  ["apk", "add|del|upgrade|fix", "-s --simulate", "nothing"],
  ["pacman yay paru", ".*", "-p --print", "nothing"],
  ["dpkg", ".*", "--simulate --dry-run --no-act", "nothing"],
  ["rpm", ".*", "--test", "nothing"],
  ["port", ".*", "-y", "nothing"],
  ["choco", ".*", "--noop --whatif --what-if", "nothing"],
  ["rclone", "(?!(?:config|rcd?|serve|mount)$).*", "-n --dry-run"],
  ["rsync restic borg", ".*", "-n --dry-run"],
  ["aws", ".*", "--dryrun --dry-run"],
  ["az", "storage .*", "--dryrun"],
  ["gsutil", "(?:.* )?rsync", "-n"],
  ["gcloud", "storage rsync", "--dry-run"],
  ["s3cmd", ".*", "-n --dry-run"],
  ["mc s5cmd", ".*", "--dry-run"],
  ["wrangler", "(?:deploy|publish|delete|versions upload)(?: .*)?", "--dry-run"],
  ["firebase", "deploy", "--dry-run"],
  ["bq", ".*", "--dry_run"],
  ["zfs zpool", "destroy|create|add|receive|recv|send", "-n"],
  ["wipefs sfdisk mke2fs", ".*", "-n --no-act"],
  ["shutdown", ".*", "-k"],
  ["systemctl", "halt|poweroff|reboot|kexec|(?:.*-)?suspend|hibernate|hybrid-sleep|rescue|emergency|exit", "--dry-run"],
  ["artisan", ".*", "--pretend"],
  ["dotnet dotnet-ef", "(?:ef )?database.*", "--dry-run"],
  ["atlas", ".*", "--dry-run"],
];

const rehearsals: ReadonlyMap<string, readonly Rehearsal[]> = (() => {
  const made = new Map<string, Rehearsal[]>();
  for (const [programs, verbs, options, runs] of lines)
    for (const name of programs.split(" "))
      made.set(name, [
        ...(made.get(name) ?? []),
        {
          verbs: new RegExp(`^(?:${verbs})$`, "s"),
          options: new Set(options.split(" ")),
          runsNothing: runs === "nothing",
        },
      ]);
  return made;
})();

/** Words that a switch may have for its value when it is on. */
const on = /^(?:true|True|TRUE|t|T|1|yes)$/;

/**
 * Returns the reporter of a command. That of a rehearsal (`rclone sync --dry-run`) only hears what the command reads and which
 * hosts it asks.
 */
export function rehearsed(name: string, words: readonly Field[], described: Description, to: Reporter): Reporter {
  const found = rehearsals.get(name);
  if (!found) return to;
  const { subcommand, args } = described;
  const verb = subcommand || (args.operands[0]?.text ?? "");
  if (words.some((word) => aptOff.test(word.text))) return to;
  const rehearsal = found.find((one) => one.verbs.test(verb) && isGiven(one.options, words, args.options));
  return rehearsal ? rehearsing(to, rehearsal.runsNothing) : to;
}

/** A setting of `apt` that switches its options off. */
const aptOff = /::(?:simulate|just-print|dry-run|recon|no-act)=(?!(?:true|yes|on|1)$)/i;

/** True if one of these options is given last, is on, and is not the value of an option that no row has. */
function isGiven(names: ReadonlySet<string>, words: readonly Field[], options: readonly GivenOption[]): boolean {
  const last = options.findLast((one) =>
    one.names.some((name) => names.has(name) || (name.startsWith("--no-") && names.has(`--${name.slice(5)}`))),
  );
  if (!last?.names.some((name) => names.has(name)) || last.off || last.word.kind !== "literal") return false;
  if (last.value !== undefined && !on.test(last.value.text)) return false;
  if (/^-[^-]+-$/.test(last.word.text)) return false;
  const previous = words[words.indexOf(last.word) - 1];
  return !previous || !options.some((one) => one.word === previous && one.unknown && one.value === undefined);
}

const nothing = (): void => {};

function rehearsing(to: Reporter, runsNothing: boolean): Reporter {
  return {
    read: (path, options) => to.read(path, options),
    write: nothing,
    writeInside: nothing,
    link: nothing,
    folders: nothing,
    mayBeFolder: (path) => to.mayBeFolder(path),
    tree: nothing,
    repository: (folder) => to.repository(folder),
    delete: nothing,
    run: runsNothing ? nothing : (target, certain, source) => to.run(target, certain, source),
    network: (url, _, certain) => to.network(url, "download", certain),
    install: nothing,
    push: nothing,
    onBranch: nothing,
    newTree: nothing,
    config: nothing,
    kill: nothing,
    doubt: runsNothing ? nothing : (reason) => to.doubt(reason),
  };
}
