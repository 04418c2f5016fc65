import { type Field, literalField } from "../shell/fields.ts";
import type { Call } from "./program.ts";

/** Reports a file of SQL text that a client runs. */
export function scriptFile(call: Call, file: Field): void {
  if (typeof file.content === "string") return;
  call.to.read(file);
  call.to.run(file.text, file.kind !== "unknown");
  call.to.doubt("what the SQL file does is not analysed");
}

const metaFiles = /^(?:\\(?:i|ir|include|include_relative|\.)|\.read|:r|source|\\source)\s+(\S+)/i;
const metaOutputs =
  /^(?:\\(?:o|out|w|T|s|log_file)|\.output|\.once|\.log|\.clone|\.trace|tee|:out)\s+(?:-\S+\s+)*(\S+)/i;
/** Lines of sqlite about a whole database, which may name the attached one before the file. */
const databaseLine = /^\.(save|backup|restore|open)\s+(?:--?\S+\s+)*(\S+)(?:\s+(\S+))?/i;
const archiveLine = /^\.(?:archive|ar)\s(.+)/is;
const shellLine = /^(?:\\!|\\system|\.shell|\.system|system|:!!|!)\s*(.*)$/is;
const pipeLine = /^(?:\\(?:o|g|gx|out|w)|\.output|\.once|\.read|\.import|pager|\\P)\s+["']?\|?\s*(.*)$/is;
const harmlessLine =
  /^(?:\\(?:[dlzctxaqrpgGshHtufnNeW?]\S*|copyright|conninfo|timing|pset|echo|qecho|warn|set|unset|encoding|if|elif|else|endif|prompt|errverbose|crosstabview|watch|gset|gdesc|gexec|bind|close|parse)|\.(?:tables|schema|headers?|mode|dump|databases|indexes|indices|show|width|separator|timer|stats|help|quit|exit|print|nullvalue|bail|echo|explain|eqp|fullschema|changes|prompt|version|dbinfo|lint|limit|timeout|sha3sum|selftest|parameter|maxrows|columns|open|auth)|:(?:setvar|connect|on|list|reset|exit|quit)|edit|pager\s*$)(?:\W|$)/i;

/** Reports the effects of a client line. True if it may change the database that is open. */
export function clientLine(call: Call, line: string): boolean {
  const place = call.draft.place;
  const shell = shellTextOf(line);
  if (shell !== undefined) {
    call.to.run(shell);
    return false;
  }
  const copy = /^\\copy\s+(?:\([^)]*\)|\S+|[^\s(]+\s*\([^)]*\))\s+(to|from)\s+(program\s+)?'?([^'\s]+)'?/i.exec(line);
  if (copy && !copy[2] && !/^(?:std(?:in|out)|pstd(?:in|out))$/i.test(copy[3] ?? "")) {
    const file = literalField(copy[3] ?? "", place);
    if (copy[1]?.toLowerCase() === "to") call.to.write(file);
    else call.to.read(file);
    return true;
  }
  if (databaseLine.test(line)) return otherDatabase(call, line);
  if (archiveLine.test(line)) return archive(call, line);
  const source = metaFiles.exec(line)?.[1];
  const target = metaOutputs.exec(line)?.[1];
  const imported = /^\.(?:import|load|excel)\s+(?:--?\S+\s+)*(\S+)/i.exec(line)?.[1];
  if (source !== undefined) scriptFile(call, literalField(source, place));
  else if (target !== undefined) call.to.write(literalField(target, place));
  else if (imported !== undefined) call.to.read(literalField(imported, place));
  else if (copy || harmlessLine.test(line)) return false;
  else call.to.doubt("a line for the database client is not known");
  return target === undefined;
}

/** `.backup main f`, `.restore f`, `.open f`: another database file is written, read, or both. True if the own one changes. */
function otherDatabase(call: Call, line: string): boolean {
  const [, verb = "", first = "", second] = databaseLine.exec(line) ?? [];
  const named = verb.toLowerCase();
  const file = unquoted(call, named === "open" ? first : (second ?? first));
  if (/^(?:restore|open)$/.test(named)) call.to.read(file);
  if (named !== "restore") call.to.write(file, named !== "open");
  return named === "restore";
}

function unquoted(call: Call, word: string): Field {
  return literalField(word.replace(/^["']|["']$/g, ""), call.draft.place);
}

/** `.archive -c -f a.sqlar src`: makes, changes, reads or unpacks an archive, reported whole. */
function archive(call: Call, line: string): boolean {
  const words = archiveLine.exec(line)?.[1]?.split(/\s+/) ?? [];
  const letters = words.filter((word) => /^--?[a-z]+$/i.test(word)).join(" ");
  const at = words.findIndex((word) => /^(?:-[a-zA-Z]*f|--file)$/.test(word));
  const name = at < 0 ? undefined : words[at + 1];
  const others = words.filter((word, i) => !word.startsWith("-") && (at < 0 || i !== at + 1));
  const [file] = name === undefined ? call.operands : [unquoted(call, name)];
  const makes = /-[a-z]*[cuir]|--(?:create|update|insert|remove)/i.test(letters);
  if (file) call.to.read(file);
  if (file && makes) call.to.write(file);
  if (makes) for (const one of others) call.to.read(unquoted(call, one), { recursive: true });
  else if (/-[a-z]*x|--extract/i.test(letters))
    for (const one of others.length > 0 ? others : ["."]) call.to.write(unquoted(call, one));
  return false;
}

/** The shell text of a client line, or undefined. */
export function shellTextOf(line: string): string | undefined {
  const direct = shellLine.exec(line)?.[1];
  if (direct !== undefined && direct.trim() !== "") return direct.trim();
  const piped = /^\S+\s+["']?\|/.test(line) || /^(?:pager|\\P)\s+\S/.test(line) ? pipeLine.exec(line)?.[1] : undefined;
  if (piped !== undefined && piped.trim() !== "") return piped.trim();
  return /^\\copy\s.*\sprogram\s+'((?:[^']|'')*)'/is.exec(line)?.[1]?.split("''").join("'");
}
