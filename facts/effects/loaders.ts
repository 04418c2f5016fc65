import { spend } from "../meter.ts";
import { loads, loadsAlways, openFolder } from "../programs/run-variables.ts";
import type { Draft } from "../shell/draft.ts";
import { isPlainVariables } from "./later-environment.ts";
import type { Sink } from "./sink.ts";

/** Variables of folders with modules: those of the project are its own matter, so they change no setting. */
const searchPaths: ReadonlySet<string> = new Set("PYTHONPATH PERL5LIB RUBYLIB NODE_PATH".split(" "));
/** Reports what variables given to a whole call make its programs load. */
export function reportVariables(variables: Readonly<Record<string, string>>, to: Sink): void {
  for (const name of Object.keys(variables)) {
    spend(1);
    one(name, variables[name] ?? "", to);
  }
}

/** Reports variables in a written settings file (`.env` and similar) that make programs load a file. */
export function reportSettings(path: string, text: string, to: Sink): void {
  if (!isPlainVariables(path)) return;
  if (text.length > settingsLength) return to.notRead("a file of variables is longer than can be analysed");
  spend(text.length >> 4);
  for (const line of text.split("\n")) {
    spend(2);
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/s.exec(line);
    if (match && loads(match[1] as string, (match[2] as string).trim().replace(/^(["'])(.*)\1$/s, "$2")))
      to.config(match[1] as string);
  }
}

// Longer files are not read.
const settingsLength = 1_048_576;

/** Reports what the variables of a command, or an `export`, make other programs load. */
export function reportLoaders(draft: Draft, to: Sink): void {
  spend(draft.env.size);
  for (const [name, value] of draft.env) one(name, value.text, to);
  if (assigning.test(draft.program)) for (const word of draft.args) filled(word.text, to);
  if (!/^(?:export|declare|typeset|readonly|env)$/.test(draft.program)) return;
  spend(draft.args.length);
  for (const word of draft.args) {
    const equals = word.text.indexOf("=");
    if (equals > 0) one(word.text.slice(0, equals), word.text.slice(equals + 1), to);
  }
}

const assigning = /^(?:read|printf|mapfile|readarray|getopts)$/;

/** Reports a variable that a builtin fills with unknown text: only names without another use count. */
function filled(name: string, to: Sink): void {
  if (loadsAlways(name)) one(name, "(from the input)", to);
}

function one(name: string, value: string, to: Sink): void {
  if (!loads(name, value)) return;
  to.run(value);
  if (!searchPaths.has(name) || openFolder.test(value.slice(0, 4096))) to.config(name.toUpperCase());
  to.doubt(`\`${name}\` makes programs load or run what it names`);
}
