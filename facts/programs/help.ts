import type { Field } from "../shell/fields.ts";
import type { GivenOption } from "./grammar.ts";
import type { Description } from "./program.ts";

/** Programs without a table of subcommands that print help for `--help` behind their verbs and operands. */
const verbFirst: ReadonlySet<string> = new Set(
  "systemctl loginctl machinectl rclone nomad consul etcdctl bq prisma crontab".split(" "),
);

/** Programs to which `-h` is `--help`, wherever no row gives it another meaning. */
const shortHelp: ReadonlySet<string> = new Set(
  `docker podman kubectl helm gh glab az gcloud terraform tofu pulumi npm pnpm yarn bun pip uv poetry cargo brew apt apt-get dnf
   yum zypper rclone nomad consul vault flyctl fly vercel firebase netlify heroku wrangler supabase doctl systemctl git`.split(
    /\s+/,
  ),
);

/** Verbs behind which the words belong to another program, `--help` as well. */
const passing = /^(?:run|run-script|exec|execute|x|dlx|ssh|shell|foreach|start|test)$/;

/** Managers of packages whose unknown words are scripts, which get the words behind them. */
const scripted: ReadonlySet<string> = new Set(["pnpm", "yarn", "bun"]);

/** Most words of a call for help. */
const longest = 12;

/**
 * True for a call that prints help or a version and does nothing else: `kubectl delete pod x --help`, `rm --help`. The word before
 * must not be an option that no row has, which could take it for its value.
 */
export function asksForHelp(name: string, words: readonly Field[], described: Description): boolean {
  const last = words.at(-1);
  if (!last || !/^(?:--?help|-h|--version|help)$/.test(last.text) || words.length > longest) return false;
  const { program, sub, args } = described;
  const before = words.slice(0, -1);
  if (!program || !before.every((word) => word.kind === "literal" && word.text !== "")) return false;
  if (last.text === "help") return name === "aws" && words.length > 1 && args.operands.length <= 1;
  const given = args.options.find((option) => option.word === last);
  if (last.text === "-h" && !isShortHelp(name, before, given?.names)) return false;
  if (before.length === 0) return true;
  if (last.text === "--version") return false;
  const options = before.filter((word) => word.text.startsWith("-"));
  if (options.length > 0 && (name === "git" || !takeNoMore(before, args.options))) return false;
  if (!program.subcommands && !program.chain && !verbFirst.has(name)) return false;
  if (name !== "npm" && !verbFirst.has(name) && before.slice(0, -1).some((word) => passing.test(word.text)))
    return false;
  if (given) return true;
  return options.length === 0 && program.subcommands !== undefined && sub === undefined && !scripted.has(name);
}

/** True unless the last of these words is an option that may take the word behind it for its value. */
function takeNoMore(words: readonly Field[], options: readonly GivenOption[]): boolean {
  const last = words.at(-1);
  return !options.some((option) => option.word === last && option.unknown && option.value === undefined);
}

/** `git push -h` prints help, but `-h` behind a remote may be a flag of the command. */
function isShortHelp(name: string, before: readonly Field[], names: readonly string[] | undefined): boolean {
  if (!shortHelp.has(name) || (name === "git" && before.length !== 1)) return false;
  return names === undefined || names.includes("--help") || (names.length === 1 && names[0] === "-h");
}
