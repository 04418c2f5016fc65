import { spend, spendText } from "../meter.ts";
import { unknownVariable } from "../shell/fields.ts";
import { runBy } from "./shell-words.ts";

const steps: ReadonlySet<string> = new Set(["sh", "bat", "powershell", "pwsh"]);
const unknown = `\${${unknownVariable}}`;

/**
 * A comment, a text of Groovy, a word, or one sign. Without its closing sign it goes on to the end of the text, also behind a lone
 * backslash: a text that fails there would be read again from each quote in it.
 */
const part =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S]))|'''((?:[^\\']|\\[\s\S]|'(?!''))*)(?:'''|\\?$(?![\s\S]))|"""((?:[^\\"]|\\[\s\S]|"(?!""))*)(?:"""|\\?$(?![\s\S]))|\$\/([\s\S]*?)(?:\/\$|$(?![\s\S]))|'((?:[^'\\\n]|\\[\s\S])*)'?|"((?:[^"\\\n]|\\[\s\S])*)"?|[A-Za-z_$][\w$]*|\s+|[\s\S]/gy;

/** A step that is being read. */
interface Step {
  readonly name: string;
  depth: number;
  /** Name of the argument, where it has one. */
  label: string;
  parts: string[];
}

/**
 * Returns the shell texts of a pipeline in Groovy: those of the steps `sh`, `bat`, `powershell` and `pwsh`, and texts that are
 * executed. Values that a text embeds are unknown. Source: Pipeline steps reference of Jenkins, "Nodes and Processes".
 */
export function pipelineTexts(text: string): string[] {
  spendText(6 * text.length);
  const texts: string[] = [];
  let step: Step | undefined;
  let word = "";
  let last = "";
  let executed: string | undefined;
  const known = new Map<string, string>();
  const end = (): void => {
    const whole = step?.parts.join("") ?? "";
    if (step && whole !== "") texts.push(whole);
    // What PowerShell and the usual shell write alike is read as text of both.
    if (step && whole !== "" && /^p/.test(step.name)) texts.push(runBy(step.name, whole));
    step = undefined;
  };
  part.lastIndex = 0;
  for (let found = part.exec(text); found && found[0] !== ""; found = part.exec(text)) {
    const [sign] = found;
    // Each is a match of its own, which takes longer than its length says.
    spend(2);
    if (sign.startsWith("//") || sign.startsWith("/*")) continue;
    const one = textOf(found);
    if (one !== undefined) {
      if (step && (step.label === "" || step.label === "script")) step.parts.push(one);
      executed = one;
      if (last === "=") known.set(word, one);
    } else if (/^[A-Za-z_$]/.test(sign)) {
      if (sign === "execute" && last === "." && executed !== undefined) texts.push(executed);
      if (step && (last === step.name || /^[(+:]$/.test(last))) step.parts.push(...valueOf(sign, known, last));
      if (!step && steps.has(sign)) step = { name: sign, depth: 0, label: "", parts: [] };
      word = sign;
    } else if (step) {
      if (sign === "(" || sign === "[") step.depth += 1;
      else if (sign === ")" || sign === "]") step.depth -= 1;
      else if (sign === ":") step.label = word;
      else if (sign === ",") step.label = "";
      const isOver =
        step.depth <= 0 &&
        /[;}\n)]/.test(sign) &&
        !(sign.includes("\n") && (last === "+" || last === "," || last === ":"));
      if (isOver) end();
    }
    if (!/^\s+$/.test(sign)) last = sign[0] === "'" || sign[0] === '"' ? "text" : sign;
  }
  end();
  return texts;
}

/** Returns the text of a variable that was set to one; an unknown text where it is only a part. */
function valueOf(name: string, known: ReadonlyMap<string, string>, last: string): readonly string[] {
  const value = known.get(name);
  if (value !== undefined) spendText(value.length);
  return value !== undefined ? [value] : last === "+" ? [unknown] : [];
}

/** Returns what a text of Groovy means; undefined for anything else. */
function textOf([, longPlain, longOpen, slashes, plain, open]: RegExpExecArray): string | undefined {
  const exact = longPlain ?? plain;
  if (exact !== undefined) return unescaped(exact);
  const loose = longOpen ?? slashes ?? open;
  if (loose === undefined) return undefined;
  return unescaped(
    loose.replace(/\\\$|\\[^$]|\$\{[^{}]*\}|\$[A-Za-z_]\w*(?:\.\w+)*/g, (found) =>
      found.startsWith("$") ? unknown : found,
    ),
  );
}

function unescaped(text: string): string {
  return text.replace(/\\(u+[0-9a-fA-F]{4}|[\s\S])/g, (_, sign: string) => {
    if (sign.length > 1) return String.fromCharCode(Number.parseInt(sign.replace(/^u+/, ""), 16));
    return sign === "n" || sign === "r" ? "\n" : sign === "t" ? " " : sign === "\n" ? "" : sign;
  });
}
