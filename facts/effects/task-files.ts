import { spend, spendText } from "../meter.ts";
import { unknownVariable } from "../shell/fields.ts";
import { wordsText } from "./shell-words.ts";
import { doubleQuoted } from "./yaml-texts.ts";
import { yamlValues } from "./yaml-values.ts";

/** A file in which programs look for commands under their keywords, and whether these run on another machine. */
interface TaskFile {
  readonly path: RegExp;
  /** Words whose value is a command; undefined where every value of a section is. */
  readonly keys?: RegExp;
  /** Sections whose every value is a command. */
  readonly sections?: RegExp;
  readonly elsewhere?: true;
  /** True for a container in which people work with their agents. */
  readonly besideAgents?: true;
}

/** Commands of one file that run in one place. */
interface Tasks {
  readonly texts: readonly string[];
  readonly elsewhere: boolean;
  readonly besideAgents: boolean;
}

/** Source: manuals of each. Makefiles, workflows and their like have readers of their own (`script-kinds.ts`). */
const taskFiles: readonly TaskFile[] = [
  {
    path: /(?:^|\/)(?:\.?(?:mise|rtx)(?:\.[\w-]+)*\.toml|\.?(?:mise|rtx)\/(?:config[\w.-]*|conf\.d\/[^/]+|tasks\/[^/]+)\.toml)$/i,
    keys: /^(?:run|run_windows|script|shell_command)$/,
    sections: /^(?:hooks|tasks|alias)$/,
  },
  { path: /(?:^|\/)\.?lefthook(?:-local)?\.(?:ya?ml|json|toml)$/i, keys: /^(?:run|script|runner)$/ },
  { path: /(?:^|\/)\.pre-commit-(?:config|hooks)\.ya?ml$/i, keys: /^entry$/ },
  { path: /(?:^|\/)deno\.jsonc?$/i, keys: /^command$/, sections: /^tasks$/ },
  { path: /(?:^|\/)composer\.json$/i, sections: /^scripts$/ },
  {
    // Hooks, helpers and servers of hosts of agents.
    path: /(?:^|\/)\.(?:claude|gemini|qwen|codex|cursor|windsurf|cline|kiro|factory|copilot|github)\/(?:[\w.-]+\/){0,4}(?:settings|hooks?|config|mcp)[\w.-]*\.(?:jsonc?|toml)$|(?:^|\/)(?:hooks\/[\w.-]+\.json|\.?mcp\.json|mcp_config\.json|\w+_mcp_settings\.json|claude_desktop_config\.json|\.vscode\/mcp\.json|\.claude\.json)$/i,
    keys: /^(?:command|commandWindows|bash|powershell|notify|apiKeyHelper|aws\w+|otelHeadersHelper|fileSuggestion|statusLine)$/,
  },
  { path: /(?:^|\/)\.(?:vscode|zed)\/(?:tasks|launch)\.json$/i, keys: /^(?:command|preLaunchCommand)$/ },
  { path: /(?:^|\/)process-compose[\w.-]*\.ya?ml$/i, keys: /^(?:command|entrypoint)$/ },
  { path: /(?:^|\/)nodemon\.json$/i, keys: /^exec$/, sections: /^(?:events|execMap)$/ },
  { path: /(?:^|\/)devbox\.json$/i, keys: /^init_hook$/, sections: /^(?:shell|scripts)$/ },
  {
    path: /(?:^|\/)pyproject\.toml$/i,
    keys: /^(?:cmd|shell)$/,
    sections: /^(?=[\w.-]*$)tool\.(?:poe|taskipy|pdm|rye|hatch|pixi)\.[\w.-]*(?:tasks|scripts)/,
  },
  { path: /(?:^|\/)tox\.(?:ini|toml)$|(?:^|\/)setup\.cfg$/i, keys: /^commands(?:_pre|_post)?$/ },
  {
    path: /(?:^|\/)\.(?:lint-staged|simple-git-hooks|huskyrc)[\w.]*$/i,
    sections: /^(?:hooks|)$/,
    keys: /^(?:pre|post|commit)[\w-]*$/,
  },
  { path: /(?:^|\/)\.?devcontainer\.json$/i, keys: /^initializeCommand$/, sections: /^initializeCommand$/ },
  {
    path: /(?:^|\/)\.?devcontainer\.json$|(?:^|\/)\.gitpod\.ya?ml$/i,
    keys: /^(?:\w+Command|init|command|before)$/,
    sections: /^\w+Command$/,
    elsewhere: true,
    besideAgents: true,
  },
  { path: /(?:^|\/)(?:docker-)?compose[\w.-]*\.ya?ml$/i, keys: /^(?:command|entrypoint|test)$/, elsewhere: true },
  { path: /(?:^|\/)\.?tmux\.conf$/i, keys: /^(?:run-shell|run|if-shell)$/ },
  {
    path: /(?:^|\/)(?:dune|Tiltfile|bacon\.toml|watchexec\.toml|\.air\.toml)$/i,
    keys: /^(?:cmd|command|run|system|exec)$/,
  },
];

const textCount = 512;
const templates = /\$?\{\{(?:(?!\{\{)[^}])*\}\}/g;

/** Returns the commands in such a file: the values behind its keywords, in YAML, TOML, JSON and INI alike; empty for any other file. */
export function taskTexts(path: string, content: string, whole: boolean): readonly Tasks[] {
  const end = path.slice(-512);
  const isYaml = /\.ya?ml$/i.test(end);
  const rows = taskFiles.filter((one) => one.path.test(end));
  if (rows.length === 0 || isYaml) return rows.map((row) => textsOf(row, content, isYaml, whole));
  spendText(content.length);
  // JSON and TOML may spell any character by its number.
  const plain = content.replace(/\\u00([2-7][0-9a-f])/gi, (all, code: string) => {
    const sign = String.fromCharCode(Number.parseInt(code, 16));
    return /["'\\]/.test(sign) ? all : sign;
  });
  return rows.map((row) => textsOf(row, plain, isYaml, whole));
}

function textsOf(row: TaskFile, content: string, isYaml: boolean, whole: boolean): Tasks {
  spendText(4 * content.length);
  const texts = isYaml ? yamlTexts(content, row, whole) : [...quotedValues(content, row), ...lineValues(content, row)];
  return {
    texts: [...new Set(texts)].slice(0, textCount).map((one) => one.replace(templates, `\${${unknownVariable}}`)),
    elsewhere: row.elsewhere === true,
    besideAgents: row.besideAgents === true,
  };
}

/** Texts of a file in YAML; words of a list, and words of `args` beside a text, are also one command together. */
function yamlTexts(content: string, { keys = /(?!)/, sections }: TaskFile, whole: boolean): string[] {
  const seen = new Set<unknown>();
  const isNew = (one: unknown): boolean => !seen.has(one) && seen.add(one) !== undefined;
  return yamlValues(content, { keys, ...(sections && { sections }) }, whole).flatMap(({ text, list, group }) => {
    const texts = [text];
    if (list !== undefined && list.length > 1 && isNew(list))
      texts.push(wordsText(list.slice(/^CMD(?:-SHELL)?$/.test(list[0] as string) ? 1 : 0)));
    if (group.args !== undefined && isNew(group)) texts.push(`${text} ${wordsText(group.args)}`);
    spend(1 + texts.length);
    return texts;
  });
}

const quotedText = String.raw`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;
/** Key and its value, or the beginning of a list. The lookbehind makes each key be read once. */
const member = new RegExp(String.raw`(?<![\w.:-])["']?([\w.:-]+)["']?\s*[:=]\s*(?:(${quotedText})|(\[))`, "g");
/** Text in quotes. An unclosed double quote extends to the end of the line, so that it is read once. */
const each = /"(?:[^"\\\n]|\\.)*("?)|'[^'\n]*'/g;
const inSingle = /'[^'\n]*'/g;
// Longer lists are not read.
const listLength = 1_024;
const argsLength = 4_096;

/** Returns values in quotes, at any place: JSON may be one line. A section goes on to its end in JSON, or the next header. */
function quotedValues(content: string, row: TaskFile): string[] {
  const sections = row.sections === undefined ? [] : sectionsOf(content, row.sections);
  const texts: string[] = [];
  let before: ReturnType<typeof argsBefore> = { end: -1, words: [] };
  member.lastIndex = 0;
  for (let found = member.exec(content); found && texts.length < textCount; found = member.exec(content)) {
    const { index } = found;
    const [, key = "", one] = found;
    // Members in a list are checked as well: the next search begins inside it.
    const list = one === undefined ? listAt(content, member.lastIndex, listLength) : undefined;
    spend(2 + ((list?.length ?? 0) >> 5));
    if (one === undefined && list === undefined) continue;
    if (key === "args" && list !== undefined) before = argsBefore(content, member.lastIndex + list.length, list);
    const inSection = sections.some(([from, to]) => index >= from && index < to);
    if (!inSection && row.keys?.test(key) !== true) continue;
    if (/^(?:description|label|name|type|group|depends|version|cwd|dir)$/.test(key)) continue;
    const values = one !== undefined ? [one] : quotedIn(list);
    const plain = values.slice(0, textCount).map(unquoted);
    texts.push(...plain);
    // A list may be the words of one command.
    if (plain.length > 1) texts.push(plain.join(" "));
    const args =
      key === "command"
        ? argsAt(content, list === undefined ? member.lastIndex : member.lastIndex + list.length + 1)
        : undefined;
    const words = args !== undefined ? quotedIn(args) : before.end === index ? before.words : [];
    if (key === "command" && words.length > 0) texts.push([...plain, ...words.map(unquoted)].join(" "));
  }
  return texts;
}

/** Returns the text from an offset to the end of a list; undefined if the list is longer than `most`. */
function listAt(content: string, from: number, most: number): string | undefined {
  const text = content.slice(from, from + most + 1);
  const end = text.indexOf("]");
  return end < 0 ? undefined : text.slice(0, end);
}

/** Returns the list of a member `args` at an offset. */
function argsAt(content: string, from: number): string | undefined {
  argsMember.lastIndex = from;
  return argsMember.test(content) ? listAt(content, argsMember.lastIndex, argsLength) : undefined;
}

/** Returns the words of `args`, and the place behind them where the next member begins. */
function argsBefore(content: string, close: number, list: string): { readonly end: number; readonly words: string[] } {
  const gap = /^\][\s,]{0,64}/.exec(content.slice(close, close + 65))?.[0].length ?? 0;
  return { end: close + gap, words: quotedIn(list) };
}

const argsMember = /[\s,}]*["']?args["']?\s*[:=]\s*\[/y;

/** Returns the texts in quotes, including the quotes. */
function quotedIn(list: string | undefined): string[] {
  return [...(list ?? "").matchAll(each)].flatMap(([text, end]) =>
    end === "" ? (text.match(inSingle) ?? []) : [text],
  );
}

function sectionsOf(content: string, names: RegExp): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const braces = new Braces(content);
  for (const header of content.matchAll(/^[ \t]*\[([\w.-]+)\][ \t]*(?:#.*)?$|["']([\w.-]+)["']\s*:\s*\{/gm)) {
    const name = header[1] ?? header[2] ?? "";
    if (!names.test(name) || found.length >= 64) continue;
    const from = header.index + header[0].length;
    found.push([from, header[1] === undefined ? braces.closing(from) : nextHeader(content, from)]);
  }
  return found;
}

function nextHeader(content: string, from: number): number {
  const at = content.slice(from).search(/^[ \t]*\[/m);
  const end = at < 0 ? content.length : from + at;
  spendText(end - from);
  return end;
}

/** The braces of a text, each read once, because a requested brace often lies inside an earlier one. */
class Braces {
  readonly #content: string;
  /** End of each brace, by the place behind its opening. */
  readonly #closings = new Map<number, number>();

  constructor(content: string) {
    this.#content = content;
  }

  /** Returns the end of the brace that opens before a place; the end of the text if it does not close. */
  closing(from: number): number {
    const known = this.#closings.get(from);
    if (known !== undefined) return known;
    const end = this.#content.length;
    const open = this.#read(from);
    for (const place of open) this.#closings.set(place, end);
    return this.#closings.get(from) ?? end;
  }

  /** Reads from behind a brace until it closes, steps over texts, and gives the places behind braces that do not close. */
  #read(from: number): readonly number[] {
    const content = this.#content;
    const open = [from];
    const sign = /["{}]/g;
    sign.lastIndex = from;
    const text = /(?:[^"\\]|\\.)*"/gsy;
    let at = from;
    while (open.length > 0) {
      const found = sign.exec(content);
      if (!found) break;
      // Each sign is a match of its own, which takes longer than its length says.
      spend(4);
      if (found[0] === '"') {
        text.lastIndex = sign.lastIndex;
        if (!text.test(content)) break;
        sign.lastIndex = text.lastIndex;
      } else if (found[0] === "{") open.push(sign.lastIndex);
      else this.#closings.set(open.pop() as number, found.index);
      at = sign.lastIndex;
    }
    spendText((open.length > 0 ? content.length : at) - from);
    return open;
  }
}

/** Values on a line of their own: plain ones, blocks and lists beneath, and texts between three quotes. */
function lineValues(content: string, row: TaskFile): string[] {
  const lines = content.split(/\r?\n/);
  const texts: string[] = [];
  let inSection = false;
  spend(2 * lines.length);
  for (let i = 0; i < lines.length && texts.length < textCount; i++) {
    const line = lines[i] as string;
    const header = /^\s*\[([\w.-]+)\]\s*(?:#.*)?$/s.exec(line);
    if (header) inSection = row.sections?.test(header[1] as string) === true;
    const found = /^(\s*(?:-\s+)?)(?!\s)["']?([\w.:-]+)["']?\s*(?:[:=]\s*|\s(?=["']))(.*)$/s.exec(line);
    if (!found || (!inSection && row.keys?.test(found[2] as string) !== true)) continue;
    const rest = (found[3] as string).trim();
    const fence = /^("""|''')/.exec(rest)?.[1];
    if (fence !== undefined) {
      const behind = [rest.slice(3)];
      while (!(behind.at(-1) as string).includes(fence) && i + 1 < lines.length) behind.push(lines[++i] as string);
      texts.push(behind.join("\n").split(fence)[0] as string);
    } else if (rest === "" || /^[|>][+-]?\d*$/.test(rest)) {
      const indent = (found[1] as string).length;
      const block: string[] = [];
      while (i + 1 < lines.length && isBeneath(lines[i + 1] as string, indent))
        block.push((lines[++i] as string).trim());
      if (rest === "") {
        for (const one of block) texts.push(unquoted(one.replace(/^-\s+/, "")));
      } else texts.push(block.join("\n"));
    } else if (!/^["'[{]/.test(rest)) texts.push(rest);
    else if (/^["']/.test(rest)) texts.push(unquoted(rest));
  }
  return texts;
}

function isBeneath(line: string, indent: number): boolean {
  return line.trim() === "" || line.length - line.trimStart().length > indent;
}

function unquoted(text: string): string {
  const found = /^(["'])(.*)\1,?$/s.exec(text.trim());
  if (!found) return text.trim();
  return found[1] === "'" ? (found[2] as string) : doubleQuoted(found[2] as string);
}
