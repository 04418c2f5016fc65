import type { Field } from "../../fields.ts";
import type { Setting } from "../binding.ts";
import { ends, type Outcome } from "../outcome.ts";
import type { Store } from "../store.ts";
import { anyValue, exactly, isList, singleOf } from "../value.ts";
import { assignName, type Builtin } from "./builtin.ts";

/** Letters of `set` and the options that they are. */
const letters: ReadonlyMap<string, string> = new Map([
  ["e", "errexit"],
  ["u", "nounset"],
  ["x", "xtrace"],
  ["f", "noglob"],
  ["a", "allexport"],
  ["n", "noexec"],
  ["v", "verbose"],
  ["C", "noclobber"],
  ["B", "braceexpand"],
  ["E", "errtrace"],
  ["T", "functrace"],
  ["m", "monitor"],
  ["b", "notify"],
  ["h", "hashall"],
  ["H", "histexpand"],
  ["p", "privileged"],
  ["P", "physical"],
  ["t", "onecmd"],
  ["k", "keyword"],
]);

/** Options that only change printed output, or the reports about jobs. */
const harmless: ReadonlySet<string> = new Set(
  "nounset xtrace verbose noclobber errtrace functrace monitor notify hashall histexpand pipefail errexit noglob allexport braceexpand history emacs vi ignoreeof nolog interactive-comments".split(
    " ",
  ),
);

function turn(store: Store, name: string, setting: Setting): void {
  if (name === "braceexpand") store.setOption("nobrace", setting === "on" ? "off" : "on");
  else store.setOption(name, setting);
  // Other effects of an option are not followed.
  if (!harmless.has(name)) store.unsettled = true;
}

/** `set`: options, and positional parameters. */
export const setOptions: Builtin["run"] = ({ args, store }): Outcome => {
  const outcome = turned(args, store);
  // If commands do not run, or not as written, later ones are not sure.
  if (["noexec", "onecmd", "keyword"].every((name) => store.option(name) === "off")) return outcome;
  const left = store.fork();
  left.status = "either";
  return { ...outcome, exit: left };
};

function turned(args: readonly Field[], store: Store): Outcome {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Field;
    if (word.kind === "unknown" && !/^[-+]./.test(word.text)) return positional(args.slice(i), store);
    if (word.text === "--") return positional(args.slice(i + 1), store);
    if (word.text === "-") return args.length > i + 1 ? positional(args.slice(i + 1), store) : ends(store, "ok");
    if (!/^[-+]/.test(word.text)) return positional(args.slice(i), store);
    const setting: Setting = word.text[0] === "-" ? "on" : "off";
    if (word.kind === "unknown") store.unsettled = true;
    for (const letter of word.text.slice(1)) {
      const name = letter === "o" ? args[++i]?.text : letters.get(letter);
      if (name !== undefined) turn(store, name, setting);
      else if (letter !== "o") store.unsettled = true;
    }
  }
  return ends(store, "ok");
}

function positional(words: readonly Field[], store: Store): Outcome {
  // An unknown first word may be an option that takes those behind it.
  store.positional = exactly(words);
  return ends(store, "ok");
}

/** Options of `shopt` that change no more than the row of an expansion asks about. */
const asked: ReadonlySet<string> = new Set(
  "nullglob lastpipe nocasematch globstar dotglob failglob inherit_errexit expand_aliases checkwinsize cmdhist histappend autocd cdspell direxpand dirspell progcomp interactive_comments login_shell huponexit sourcepath globasciiranges".split(
    " ",
  ),
);

/** `shopt`. */
export const setShellOptions: Builtin["run"] = ({ args, store }) => {
  const flags = args.filter((word) => word.text.startsWith("-")).map((word) => word.text);
  const setting = flags.some((flag) => flag.includes("s"))
    ? "on"
    : flags.some((flag) => flag.includes("u"))
      ? "off"
      : undefined;
  if (!setting) return ends(store);
  for (const word of args) {
    if (word.text.startsWith("-")) continue;
    if (word.kind !== "literal" || flags.some((flag) => flag.includes("o"))) turn(store, word.text, setting);
    else {
      store.setOption(word.text, setting);
      if (!asked.has(word.text) && !/^extglob$/.test(word.text)) store.unsettled = true;
    }
  }
  if (store.option("extdebug") === "off") return ends(store, "ok");
  const left = store.fork();
  left.status = "either";
  return { ...ends(store, "ok"), exit: left };
};

/** `shift`. */
export const shiftParameters: Builtin["run"] = ({ args, store }) => {
  const [word] = args;
  const count = word ? (word.kind === "literal" && /^\d{1,6}$/.test(word.text) ? Number(word.text) : undefined) : 1;
  const list = singleOf(store.positional);
  if (count === undefined || !list || !isList(list)) {
    store.positional = anyValue;
    return ends(store);
  }
  const isOpen = list
    .slice(0, count)
    .some((item) => "open" in item && (item.open === true || ("glob" in item && item.glob === true)));
  if (isOpen) store.positional = anyValue;
  // More than there are is an error that leaves them as they are.
  else if (count <= list.length) store.positional = exactly(list.slice(count));
  return ends(store, isOpen ? "either" : count <= list.length ? "ok" : "fail");
};

/** `getopts options NAME`. */
export const takeOption: Builtin["run"] = (invoked) => {
  const [, name] = invoked.args;
  if (name) assignName(invoked, { word: name }, anyValue);
  for (const own of ["OPTARG", "OPTIND"]) invoked.store.set(own, anyValue);
  return ends(invoked.store);
};
