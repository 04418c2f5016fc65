import { type Field, withText } from "../../fields.ts";
import { ends } from "../outcome.ts";
import { type Builtin, operandsOf, runCode } from "./builtin.ts";

/** `source` and `eval` of unseen code. */
export const runUnseen: Builtin["run"] = ({ args, draft, store }) => {
  if (args.length > 0 && !draft.analysed) store.havoc();
  return ends(store);
};

/** `compgen`, `complete`, `bind`: commands that they run now or later, and words that are expanded. */
export const runCompletions: Builtin["run"] = (invoked) => {
  const { args, store } = invoked;
  const codes = args.flatMap((word, i) => (/^-[CFWx]$/.test(word.text) && args[i + 1] ? [args[i + 1] as Field] : []));
  for (const word of codes) runCode(invoked, { word });
  if (codes.length > 0) store.unsettle();
  return ends(store);
};

/** `jobs -x command`: the command is run, with the numbers of jobs in their places. */
export const runJob: Builtin["run"] = (invoked) => {
  const [option, ...words] = invoked.args;
  const [head] = words;
  if (option?.text !== "-x" || !head) return ends(invoked.store);
  const text = words.map((word) => `'${word.text.replaceAll("'", "'\\''")}'`).join(" ");
  runCode(invoked, { word: { ...head, text, template: text } });
  return ends(invoked.store);
};

/** `alias name=text`. */
export const changeAliases: Builtin["run"] = ({ args, store }) => {
  for (const word of args) {
    const equals = word.text.indexOf("=");
    if (equals <= 0) continue;
    const template = word.template?.slice(word.template.indexOf("=") + 1);
    store.aliases = store.aliases.with(word.text.slice(0, equals), {
      ...withText(word, word.text.slice(equals + 1)),
      ...(template === undefined ? {} : { template }),
    });
  }
  return ends(store);
};

/** `unalias`: it removes nothing here, because a line that the shell has already read may still use the alias. */
export const forgetAliases: Builtin["run"] = ({ store }) => ends(store);

/** `hash -p file name` makes the name run the file. */
export const hashName: Builtin["run"] = ({ args, store }) => {
  const [option, file, name] = args;
  if (option?.text === "-p" && file && name) store.aliases = store.aliases.with(name.text, file);
  return ends(store);
};

/** `trap` without a text to run: if it names `EXIT`, texts for the shell's end no longer run there. */
export const resetTrap: Builtin["run"] = ({ args, store }) => {
  const words = operandsOf(args);
  const signals = words.slice(1);
  const isExit = signals.some((word) => /^(?:0|EXIT)$/i.test(word.text));
  if (words.length > 1 && isExit && signals.every((word) => word.kind === "literal"))
    store.endings = store.endings.flatMap((text) => (text.isBySignal ? [{ ...text, isAtExit: false }] : []));
  return ends(store, "ok");
};
