import type { Field } from "../shell/fields.ts";
import type { GivenOption } from "./grammar.ts";
import type { Description } from "./program.ts";

/** Programs without a table of subcommands that print help for `--help` behind their verbs and operands. */
const verbFirst: ReadonlySet<string> = new Set(
  "systemctl loginctl machinectl pm2 rclone nomad consul etcdctl bq prisma crontab zfs zpool dpkg rpm restic borg".split(
    " ",
  ),
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

const helpWord = /^(?:--?help(?:=true)?|-h(?:=true)?|--version|help)$/;

/**
 * True for a call that prints help or a version and does nothing else: `kubectl delete pod x --help`, `rm --help`. The word before
 * must not be an option that no row has, which could take it for its value.
 */
export function asksForHelp(name: string, words: readonly Field[], described: Description): boolean {
  const { program, sub, args } = described;
  const at = program ? words.slice(0, longest).findIndex((word) => helpWord.test(word.text)) : -1;
  const word = words[at];
  if (!program || word?.kind !== "literal") return false;
  const before = words.slice(0, at);
  if (!before.every(({ kind, text }) => kind === "literal" && text !== "")) return false;
  const given = args.options.find((option) => option.word === word);
  if (/^-h(?:=|$)/.test(word.text) && !isShortHelp(name, before, given?.names)) return false;
  const hasVerbs = program.subcommands !== undefined || program.chain !== undefined || verbFirst.has(name);
  if (!hasVerbs) return words.length === 1 && word.text !== "help";
  if (word.text === "help") return name === "aws" && isOnlyOperand(word, before, args.operands);
  if (word.text === "--version") return at === 0 || name === "npm";
  const options = before.filter(({ text }) => text.startsWith("-"));
  if (options.length > 0 && (name === "git" || !takeNoMore(before, args.options))) return false;
  if (passesOn(name, before)) return false;
  if (given) return true;
  const isLast = at === words.length - 1;
  return isLast && options.length === 0 && program.subcommands !== undefined && !sub && !scripted.has(name);
}

/** True for words that a program hands to another one, as `pnpm run deploy`; `npm` reads its own options wherever they are. */
function passesOn(name: string, words: readonly Field[]): boolean {
  return name !== "npm" && !verbFirst.has(name) && words.slice(0, -1).some(({ text }) => passing.test(text));
}

/** `aws s3 rm help`: only behind the verbs, and not the value of an option. */
function isOnlyOperand(word: Field, before: readonly Field[], operands: readonly Field[]): boolean {
  return operands.length === 1 && operands[0] === word && !before.at(-1)?.text.startsWith("-");
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
