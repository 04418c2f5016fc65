import { spend, spendText } from "../meter.ts";

/** Lines on which `!` is an operator. */
const expressions = /^[\s:]*(?:let|if|elseif|while|return|call|echo\w*|for|set\w*|eval|const|var)\b/;
const commandLine =
  /^[\s:]*(?:sil(?:ent)?!?\s+|keepalt\s+|noautocmd\s+|redir\b[^|]*\|\s*)*(?:(?:r(?:ead)?|w(?:rite)?|%|\.)\s*|ter(?:minal)?\s+(?=!))?!\s*(.*)$/s;
const terminal = /^[\s:]*(?:sil(?:ent)?!?\s+)*ter(?:minal)?!?\s+(?:\+\+\S+\s+)*([^!\s].*)$/s;
/** A command behind an event or a key: `autocmd BufRead * !x`, `nnoremap a :!x<CR>`, `execute '!x'`. */
const bound =
  /^\s*:?(?:au(?:tocmd)?|[nvxsoilct]?(?:nore)?map|com(?:mand)?|exe(?:cute)?|aug?\w*)!?\s.*?(?:[\s:|>"']|<cmd>)!\s*([^\s!].*)$/is;
const called =
  /\b(?:system(?:list)?|jobstart|termopen|job_start|term_start)\s*\(\s*(\[[^\]]*\]?|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/g;
const executed =
  /\b(?:os\.execute|io\.popen|vim\.fn\.(?:system|systemlist|jobstart))[\s(]*(\{[^}]*\}?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g;

/** Returns the shell texts of a start file or script of vim. Source: vim's manual, `:!`, `:autocmd`, `system()`, `job_start()`. */
export function vimTexts(text: string): string[] {
  spendText(8 * text.length);
  // A line that begins with a backslash goes on with the one before.
  const lines = text.replace(/\r?\n[ \t]*\\(?!\\)/g, " ").split(/\r?\n/);
  return lines.flatMap((line) => {
    spend(4);
    if (/^\s*(?:"|$)/.test(line)) return [];
    const calls = [...line.matchAll(called), ...line.matchAll(executed)].map((found) => wordsOf(found[1] as string));
    const own =
      commandLine.exec(line) ?? terminal.exec(line) ?? (expressions.test(line) ? undefined : bound.exec(line));
    return own ? [...calls, withoutKeys(own[1] as string)] : calls;
  });
}

/** Returns a command without the keys and quotes that end it. */
function withoutKeys(command: string): string {
  return command.replace(/(?:<(?:cr|enter|return|bar)>.*|["'])\s*$/is, "").trim();
}

function wordsOf(given: string): string {
  const texts = [...given.matchAll(/"((?:[^"\\]|\\[\s\S])*)(?:"|\\?$)|'((?:[^']|'')*)(?:'|$)/g)];
  return texts.map((found) => found[1]?.replace(/\\(.)/g, "$1") ?? (found[2] ?? "").replaceAll("''", "'")).join(" ");
}
