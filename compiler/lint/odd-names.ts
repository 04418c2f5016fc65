import { programOf } from "../../facts/programs/registry.ts";
import { isPeeled } from "./peeled.ts";
import { isWhole, type WrongShape } from "./wrong-shape.ts";

/** Fields whose values are names: none of them begins or ends with a blank or stands in quotes. */
const names: ReadonlySet<string> = new Set([
  ...["command.program", "command.subcommand", "path.ext", "url.host", "url.scheme", "url.port"],
  ...["push_target.branch", "push_target.remote", "environment.branch", "environment.default_branch"],
  ...[
    "install.name",
    "install.manager",
    "install.source",
    "tool.name",
    "tool.server",
    "kill.target",
    "config_change.target",
  ],
]);

/**
 * Returns the fault of a text that no value of a field has because of its edges or its beginning: quotes around a name, a wrapper
 * before the text of a command, the folder of git before a branch in a pattern.
 */
export function oddName(field: string, text: string, operator: string): WrongShape | undefined {
  if (text.length > 4_096) return undefined;
  if (field === "command.text")
    return (
      beforeCommand(text, operator) ??
      betweenCommands(text, operator) ??
      quotedWord(text, operator) ??
      variableWord(text, operator)
    );
  if (operator === "matches") {
    if (!places.has(field)) return undefined;
    return (branches.has(field) ? folderOfGit(text) : undefined) ?? twoBackslashes(text);
  }
  return names.has(field) ? edges(text, operator) : undefined;
}

function edges(text: string, operator: string): WrongShape | undefined {
  const begins = isWhole(operator) || operator === "starts_with" || operator === "glob";
  const ends = isWhole(operator) || operator === "ends_with" || operator === "glob";
  const inner = begins && ends ? /^(["'`])(.+)\1$/s.exec(text)?.[2] : undefined;
  if (inner !== undefined)
    return { why: "the quotes belong to the text", help: `write \`${inner.trim()}\``, instead: inner.trim() };
  const bare = text.trim();
  const isOdd = (begins && /^[ \t]/.test(text)) || (ends && /[ \t]$/.test(text));
  return isOdd && bare !== ""
    ? { why: "it begins and ends with no blank", help: `write \`${bare}\``, instead: bare }
    : undefined;
}

const branches: ReadonlySet<string> = new Set([
  ...["push_target.branch", "environment.branch", "environment.default_branch"],
]);

const places: ReadonlySet<string> = new Set([...branches, "path", "path.lexical", "path.real"]);

/** Finds an escape of double quotes in single ones: `'\\.pem$'` asks for a backslash, which few names have. */
function twoBackslashes(pattern: string): WrongShape | undefined {
  if (!/\\\\\.[A-Za-z]/.test(pattern)) return undefined;
  const why = "two backslashes ask for a backslash in the name";
  return { why, help: `write \`${pattern.replaceAll("\\\\", "\\")}\``, seen: "in part" };
}

/** Finds git's folder of branches at the beginning of a pattern. */
function folderOfGit(pattern: string): WrongShape | undefined {
  const why = "facts have the name of the branch alone";
  const bare = pattern.replace(/^(\^?)(?:refs\\?\/heads\\?\/|(?:refs\\?\/)?remotes\\?\/[\w-]+\\?\/|origin\\?\/)/, "$1");
  return bare === pattern ? undefined : { why, help: `write \`${bare}\``, instead: bare };
}

/** Finds a wrapper or an assignment at the beginning of the text of a command, which begins with its program. */
function beforeCommand(text: string, operator: string): WrongShape | undefined {
  const isPattern = operator === "matches";
  if (isPattern ? !text.startsWith("^") : !isWhole(operator) && operator !== "starts_with" && operator !== "glob")
    return undefined;
  const begun = isPattern ? text.slice(1) : text;
  const variable = /^([A-Za-z_]\w*)=/.exec(begun)?.[1];
  if (variable !== undefined)
    return {
      why: "a command's text begins with its program; assignments before it stand in `env`",
      help: `test \`"${variable}" in c.env\``,
    };
  const [, wrapper = "", next = ""] = /^([a-z][\w.-]*)(?: |\\s[+*]?)([\w./-]*)/.exec(begun) ?? [];
  // A wrapper with its own options alone is a command: `sudo -i`.
  if (wrapper === "" || next.startsWith("-") || (next === "" && isWhole(operator)) || !isPeeled(wrapper))
    return undefined;
  return {
    why: `the text of \`${wrapper} ls\` is \`ls\`; what stands before a program is in \`wrappers\``,
    help: `test \`wrappers: { contains: ${wrapper} }\` of the command`,
    ...(next === "" ? { seen: "in part" } : {}),
  };
}

/** Finds a variable of a shell as a word. Facts have its value in its place, or leave that part unknown. */
function variableWord(text: string, operator: string): WrongShape | undefined {
  const name = operator === "matches" ? undefined : /(?<=^|\s)\$\{?[A-Za-z_]\w*\}?(?=\s|$)/.exec(text)?.[0];
  if (name === undefined) return undefined;
  const help = operator === "glob" ? "write `*` for any word there" : "test the words before it: `starts_with`";
  return {
    why: `\`${name}\` is no variable here; a command has this text only in single quotes`,
    help,
    seen: "in part",
  };
}

/** Finds quotes round a word of a command's text: the shell takes them away. */
function quotedWord(text: string, operator: string): WrongShape | undefined {
  if (operator === "matches") return undefined;
  const [, word = ""] = /(?<=^|[\s=])(["'])([^"']+)\1(?=\s|$)/.exec(text)?.slice(1) ?? [];
  if (word === "") return undefined;
  const instead = text.replace(/(?<=^|[\s=])(["'])([^"']+)\1(?=\s|$)/g, "$2");
  return {
    why: "facts have the words without the quotes that the shell takes away",
    help: `write \`${instead}\``,
    seen: "in part",
  };
}

/** Finds a pattern for several commands: a sign that joins commands, with a known program behind it. */
function betweenCommands(pattern: string, operator: string): WrongShape | undefined {
  if (operator !== "matches") return undefined;
  const [, sign = "", name = ""] = joined.exec(pattern) ?? [];
  if (name === "" || programOf(name) === undefined) return undefined;
  const isPipe = sign === "\\|" || sign === "[|]";
  return {
    why: `\`${isPipe ? "|" : sign}\` is not part of the text of a command`,
    help: isPipe
      ? "test the command behind it by `piped_from` and `piped_to`"
      : "test each command by itself, as `each` goes through them",
  };
}

const joined = /(\\\||\[\|\]|&&|;)(?:\\s[*+]?| [*+]?)*(?:\((?:\?:)?)*([a-z][\w.-]*)/;
