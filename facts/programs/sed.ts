/** The effect of one command of a sed script. */
type SedEffect = { readonly kind: "run"; readonly text: string } | { readonly kind: "write"; readonly path: string };

/** True when the script has an `e` command or flag, or cannot be read to its end. */
export function runsCommands(script: string): boolean {
  return effectsOf(script).some((effect) => effect.kind === "run");
}

/** Returns the commands that the script names after `e`; commands made from its input are unknown. */
export function ranTexts(script: string): string[] {
  return effectsOf(script).flatMap((effect) => (effect.kind === "run" && effect.text !== "" ? [effect.text] : []));
}

/** Files that `w` commands and flags write. */
export function writtenFiles(script: string): string[] {
  return effectsOf(script).flatMap((effect) => (effect.kind === "write" ? [effect.path] : []));
}

/** Reads the script command by command; linear in its length. Source: sed(1). */
function effectsOf(script: string): SedEffect[] {
  const effects: SedEffect[] = [];
  let at = 0;
  while (at < script.length) {
    at = address(script, at);
    const command = script[at];
    if (command === undefined) break;
    at = step(script, at + 1, command, effects);
  }
  return effects;
}

/** Returns the offset after blanks, separators, braces, line numbers, regular expressions and their flags. */
function address(script: string, from: number): number {
  let at = from;
  for (;;) {
    const character = script[at];
    if (character === undefined) return at;
    if (/[\s;{}!,$0-9~+]/.test(character)) at += 1;
    else if (character === "/") at = delimited(script, at + 1, "/");
    else if (character === "\\" && script[at + 1] !== undefined)
      at = delimited(script, at + 2, script[at + 1] as string);
    else if (at > from && (character === "I" || character === "M") && /[/,\d]/.test(script[at - 1] as string)) at += 1;
    else return at;
  }
}

/** Position after the next unescaped delimiter outside brackets. */
function delimited(script: string, from: number, delimiter: string): number {
  let bracket = false;
  for (let i = from; i < script.length; i++) {
    const character = script[i];
    if (character === "\\") i += 1;
    else if (character === "[" && !bracket) bracket = true;
    else if (character === "]" && bracket && i > from) bracket = false;
    else if (character === delimiter && (!bracket || delimiter !== "/")) return i + 1;
    else if (character === delimiter) return i + 1;
  }
  return script.length;
}

function lineEnd(script: string, from: number): number {
  const end = script.indexOf("\n", from);
  return end < 0 ? script.length : end;
}

function step(script: string, at: number, command: string, effects: SedEffect[]): number {
  switch (command) {
    case "s":
      return substitution(script, at, effects);
    case "y":
      return delimited(script, delimited(script, at + 1, script[at] ?? "/"), script[at] ?? "/");
    case "e":
      effects.push({ kind: "run", text: script.slice(at, lineEnd(script, at)).trim() });
      return lineEnd(script, at);
    case "w":
    case "W": {
      const end = lineEnd(script, at);
      effects.push({ kind: "write", path: script.slice(at, end).trim() });
      return end;
    }
    case "a":
    case "i":
    case "c":
    case "r":
    case "R":
    case "#":
      return lineEnd(script, at);
    case "b":
    case "t":
    case "T":
    case ":": {
      const end = /[;\n}]/.exec(script.slice(at, at + 256));
      return end ? at + end.index : lineEnd(script, at);
    }
    default:
      return at;
  }
}

function substitution(script: string, at: number, effects: SedEffect[]): number {
  const delimiter = script[at];
  if (delimiter === undefined) return at;
  const from = delimited(script, at + 1, delimiter);
  let end = delimited(script, from, delimiter);
  const made = script.slice(from, end - 1).replaceAll(`\\${delimiter}`, delimiter);
  while (end < script.length && /[gpiImMe0-9]/.test(script[end] as string)) {
    if (script[end] === "e") effects.push({ kind: "run", text: made });
    end += 1;
  }
  if (script[end] !== "w") return end;
  const line = lineEnd(script, end);
  effects.push({ kind: "write", path: script.slice(end + 1, line).trim() });
  return line;
}
