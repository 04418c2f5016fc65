import { isWhole, type WrongShape } from "./wrong-shape.ts";

/** Fields whose values are one short name, without spaces, lists or pattern syntax. */
const names: ReadonlySet<string> = new Set([
  "command.program",
  "command.subcommand",
  "path.ext",
  "url.host",
  "url.scheme",
  "push_target.branch",
  "environment.branch",
  "environment.default_branch",
]);

const paths: ReadonlySet<string> = new Set(["path", "path.name", "path.lexical", "path.real"]);

/**
 * Returns the fault of a text with syntax of YAML, lists or another kind of pattern, in a field whose values have none.
 * `operator` is that of a YAML test. Fixed work for each character.
 */
export function otherMarks(field: string, text: string, operator: string): WrongShape | undefined {
  const isName = names.has(field);
  const pattern = patternInGlob(field, text, operator);
  if (pattern) return pattern;
  if ((!isName && !paths.has(field)) || text.length > 4_096) return undefined;
  return (
    lineBreak(text, operator) ??
    (isName ? (several(field, text, operator) ?? negated(text, operator)) : undefined) ??
    alternatives(text, operator) ??
    severalGlobs(isName, text, operator) ??
    anchored(isName, text, operator)
  );
}

/** Fields with parts that never begin with a dot. Names of files do, and options of commands. */
const dotless: ReadonlySet<string> = new Set([
  ...["push_target.branch", "environment.branch", "environment.default_branch"],
  ...["url.host", "install.name", "tool.name", "tool.host_name", "tool.server", "command.program", "environment.user"],
]);

/** Finds `.*` of a pattern in a glob, where no dot can stand: at the beginning of a part, or behind a dash. */
function patternInGlob(field: string, text: string, operator: string): WrongShape | undefined {
  if (operator !== "glob" || !dotless.has(field) || text.length > 4_096) return undefined;
  const sign = /(?<=^|[/@_-])\.[*+]/.exec(text)?.[0];
  // A package may be a folder: `./lib`.
  if (sign === undefined || (field === "install.name" && text.startsWith("."))) return undefined;
  const instead = text.replace(/(?<=^|[/@_-])\.[*+]/g, "*").replaceAll("\\.", ".");
  return {
    why: `a glob takes the dot of \`${sign}\` as it is`,
    help: `write \`${instead}\``,
    instead,
    seen: "in part",
  };
}

/** Finds the trailing line break of a YAML block scalar. */
function lineBreak(text: string, operator: string): WrongShape | undefined {
  const instead = text.trimEnd();
  const lines = instead.split("\n").map((line) => line.trim());
  if (lines.length > 1 && operator !== "contains" && operator !== "matches" && lines.every((line) => line !== ""))
    return {
      why: `that is one text of ${lines.length} lines and no list`,
      help: "write a list, with each line as an item",
    };
  if (!/\n$/.test(text) || instead === "" || (!isWhole(operator) && operator !== "ends_with")) return undefined;
  return {
    why: "the text ends in a line break, which `|` and `>` keep",
    help: "write `|-` or `>-`, or one line",
    instead,
  };
}

/** Text in which one of several names is that of a usual branch. */
const usualBranches = /(?:^|,)(?:main|master|develop|trunk|staging|production|prod|stable)(?:,|$)/;

/** Finds several names in one text, as other products write lists. A branch name may contain a comma, but no space. */
function several(field: string, written: string, operator: string): WrongShape | undefined {
  const text = /^(?:\((.*)\)|\{(.*)\})$/s.exec(written)?.slice(1).join("") ?? written;
  if (!isWhole(operator) || !/^[\w.@+/-]+(?:\s*[,|]\s*[\w.@+/-]+)+$/.test(text)) return undefined;
  if (field.endsWith("branch") && !/[|\s]/.test(text) && !usualBranches.test(text)) return undefined;
  const list = text.split(/\s*[,|]\s*/).join(", ");
  return { why: "that is one text and no list", help: `write the list \`[${list}]\`` };
}

function negated(text: string, operator: string): WrongShape | undefined {
  const name = /^!\s*([\w.+/-]+)$/.exec(text)?.[1];
  if (name === undefined || !isWhole(operator)) return undefined;
  return { why: "`!` is a part of the text here", help: `write \`{ not_equals: ${name} }\`` };
}

/** Finds several globs in one text. A set may have a bar, and the name of a file a comma. */
function severalGlobs(isName: boolean, text: string, operator: string): WrongShape | undefined {
  if (isName && operator !== "glob") return undefined;
  if (!["equals", "in", "starts_with", "ends_with", "contains", "glob", "within"].includes(operator)) return undefined;
  if (/[()[\]{}\\^$\n]/.test(text)) return undefined;
  const isGlob = operator === "glob";
  const cut = /^[^|]+(?:\|[^|]+)+$/.test(text)
    ? /\s*\|\s*/
    : isGlob && /^[^,]+(?:,[^,]+)+$/.test(text) && text.split(",").every((one) => /\*[./]|\/\*/.test(one))
      ? /\s*,\s*/
      : undefined;
  if (cut === undefined) return undefined;
  const list = text.trim().split(cut);
  if (list.some((one) => one === "" || /\s/.test(one))) return undefined;
  const shown = list.map((one) => (/^[A-Za-z.][\w./-]*$/.test(one) ? one : `"${one}"`)).join(", ");
  return {
    why: `that is one ${isGlob ? "glob" : "text"} and no list`,
    help: `write the list \`{ ${operator === "in" || operator === "equals" ? "in" : operator}: [${shown}] }\``,
  };
}

function alternatives(text: string, operator: string): WrongShape | undefined {
  if (operator !== "glob" || !/\([^()|]*(?:\|[^()|]*)+\)/.test(text)) return undefined;
  const help = "write `{a,b}`, a list of globs, or `matches` for a regular expression";
  return { why: "a glob takes `(`, `|` and `)` as they are", help, seen: "in part" };
}

/** Finds anchors, which only regular expressions have. */
function anchored(isName: boolean, text: string, operator: string): WrongShape | undefined {
  const first = /^\^./.test(text);
  const last = /[\w*)\]]\$$/.test(text);
  const fits =
    operator === "starts_with"
      ? first
      : operator === "ends_with"
        ? last
        : (isWhole(operator) || operator === "glob") &&
          (isName ? first || last : (first && (last || /\.[*+]/.test(text))) || (last && /\.\*|\\\./.test(text)));
  if (!fits) return undefined;
  const help =
    operator === "starts_with" && !/[\\.*+[(]/.test(text)
      ? `write \`${text.slice(1)}\``
      : operator === "ends_with" && !/[\\*+[(]/.test(text)
        ? `write \`${text.slice(0, -1)}\``
        : "write `matches` for a regular expression, or leave the sign out";
  return { why: `\`${operator}\` takes \`${first ? "^" : "$"}\` as it is`, help, seen: "in part" };
}
