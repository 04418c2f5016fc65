import { programOf } from "../../facts/programs/registry.ts";
import { withoutVersion } from "../../facts/shell/names.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { folderText, namedPlace, placeText } from "./absolute-texts.ts";
import { besideShapes } from "./beside-shapes.ts";
import { changeTarget } from "./change-target.ts";
import { bareResource, misspeltChange, noChange, optionsOfChange } from "./change-words.ts";
import { commandTarget, ownVerbs } from "./command-facts.ts";
import { shellName, userName } from "./environment-shapes.ts";
import { dottedName, nameCase } from "./file-names.ts";
import { foreignWildcard } from "./foreign-wildcards.ts";
import { hostShape } from "./host-texts.ts";
import { oddName } from "./odd-names.ts";
import { otherMarks } from "./other-marks.ts";
import { placeMarks } from "./place-marks.ts";
import { resourceKind } from "./resource-kinds.ts";
import { isWhole, type Shape, type WrongShape, without } from "./wrong-shape.ts";

/** Forms that a field never has, by what the field is: hosts are in lower case, an extension has no dot. */

const exact: ReadonlySet<string> = new Set(["equals", "in", "starts_with", "ends_with", "contains", "glob", "within"]);

/** The fault of a text as a value of a field (`url.host`), or undefined. `operator` is that of a YAML test. */
export function wrongShape(field: string | undefined, text: string, operator: string): WrongShape | undefined {
  if (field === undefined) return undefined;
  if (items.has(field)) return ofItem(field, text, operator);
  const odd = oddName(field, text, operator);
  if (odd) return odd;
  const marks = otherMarks(field, text, operator);
  if (marks) return marks;
  if (field === "url.path" && operator === "matches" && /\[(?:\?&|&\?)\]|\\\?/.test(text))
    return { why: "the part after `?` is the query", help: "test it by `query` of the address" };
  if (
    field === "path" &&
    /^(?:contains|ends_with|matches)$/.test(operator) &&
    /^\\?[./\\]*\\?\.\\?\.[/\\]*$/.test(text)
  )
    return { why: "facts have whole places, in which `..` is resolved", help: "test `text` of it, as it was written" };
  if (field === "install.name" && isWhole(operator) && /^[\w@/-]+ [\w@/. -]+$/.test(text))
    return {
      why: "a package is one word",
      help: `write \`${text.replace(/^.* /s, "")}\`, and the command's words in tests of \`shell.commands\``,
    };
  if (field === "url.host" || field === "url") return hostShape(field, text, operator);
  const kept = operator === "glob" && field !== "command" ? /^!(?=[\w*@])(.+)$/s.exec(text)?.[1] : undefined;
  if (kept !== undefined && field !== "path")
    return { why: "a glob has no negation: `!` is a letter", help: `write \`unless: { … { glob: "${kept}" } }\`` };
  const signs = foreignWildcard(field, text, operator);
  if (signs) return signs;
  if (field === "command.text") {
    const blanks = twoBlanks(text);
    if (blanks) return blanks;
  }
  const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
  return shape && exact.has(operator) ? shape(text, operator) : undefined;
}

const items: ReadonlySet<string> = new Set(["command.operands", "session.labels"]);

/** Items of a list of texts. */
function ofItem(field: string, text: string, operator: string): WrongShape | undefined {
  if (field !== "command.operands" || !operator.startsWith("contains")) return undefined;
  const inner = /^(["'])(.+)\1$/.exec(text)?.[2];
  if (inner !== undefined)
    return {
      why: "facts have the words without the quotes that the shell takes away",
      help: `write \`${inner}\``,
      seen: "in part",
    };
  if (/^[\w./:@]+(?: [\w./:@-]+)+$/.test(text) && text.length <= 200)
    return {
      why: "an operand is one word, and has a blank only where it stands in quotes",
      help: `write \`contains_all: [${text.split(" ").join(", ")}]\``,
      seen: "in part",
    };
  if (!/^-{1,2}[A-Za-z]/.test(text)) return undefined;
  return {
    why: "an option is no operand, unless `--` stands before it",
    help: `test \`{ has_option: ${text.split("=")[0]} }\` of the command`,
    seen: "in part",
  };
}

/** Returns the fault of a branch name: facts have the bare name, without git's folder, the remote, or the source of a push. */
function branch(text: string, operator: string): WrongShape | undefined {
  if (text === "HEAD" || text === "@")
    return {
      why: "facts have the branch that it names",
      help: "test `p.target.branch` against the branches meant",
    };
  if (/^\+\**$/.test(text))
    return { why: "the sign of a forced push is no part of a branch", help: "test `p.forced: true`" };
  if (text.startsWith(":"))
    return { why: "facts have the branch that `:branch` deletes, alone", help: "test `p.delete: true`" };
  if (/[\w*]\/$/.test(text) && (isWhole(operator) || operator === "glob" || operator === "ends_with"))
    return { why: "no branch ends in a slash", help: `write \`{ glob: "${text.replace(/\/$/, "")}/**" }\`` };
  return (
    without(text, /^\+/, text.slice(1), "the sign of a forced push is no part of a branch; `forced` has it") ??
    without(text, /^[^*?]*:/, text.replace(/^[^*?]*:/, ""), "facts have the branch that is pushed to, alone") ??
    without(text, /^refs\/heads\//, text.replace(/^refs\/heads\//, ""), "facts have the name of the branch alone") ??
    without(
      text,
      /^(?:refs\/remotes\/\w+|remotes\/\w+|origin)\//,
      text.replace(/^(?:refs\/remotes\/\w+|remotes\/\w+|origin)\//, ""),
      "facts have the name of the branch without its remote",
    )
  );
}

/** Checks the path of a URL: it begins with a slash and ends before the question mark. */
function urlPath(text: string, operator: string): WrongShape | undefined {
  const begins = isWhole(operator) || operator === "starts_with" || (operator === "glob" && !/^[*?[{\\]/.test(text));
  if (begins && /^[\w.-]/.test(text))
    return { why: "it begins with a slash", help: `write \`/${text}\``, instead: `/${text}` };
  return operator !== "glob" && text.includes("?")
    ? { why: "the part after `?` is the query", help: "test it by `query` of the address" }
    : undefined;
}

/** Checks an extension: the part of a name after its last dot. */
function extension(text: string): WrongShape | undefined {
  const why = "an extension has no dot";
  const inner = /^[\w*]+(?:\.\w+)+$/.test(text) && !text.startsWith("*");
  if (inner)
    return {
      why,
      help: `write \`${text.slice(text.lastIndexOf(".") + 1)}\`, or test the path: \`{ ends_with: .${text} }\``,
    };
  return /[[{(]/.test(text)
    ? without(text, /^\./, text.slice(1), why)
    : without(text, /\./, text.slice(text.lastIndexOf(".") + 1), why);
}

/** Verbs of changes that no system is called like. */
const leading: ReadonlySet<string> = new Set(
  "delete reveal drop stop scale apply create remove destroy drain".split(" "),
);

/** Returns the fault of a name of a change. The words of a command are left to the facts of that command. */
function changed(text: string, operator: string): WrongShape | undefined {
  const left = noChange(text);
  if (left) return left;
  const verb = /^([a-z]+)(?: [\w*/{},.-]*)?$/.exec(text)?.[1] ?? "";
  if (
    operator !== "equals" &&
    operator !== "in" &&
    operator !== "contains" &&
    operator !== "ends_with" &&
    leading.has(verb)
  )
    return { why: "the name of the system stands before the verb", help: `write \`{ glob: "* ${verb} **" }\`` };
  const named =
    changeTarget(text, operator) ??
    resourceKind(text, operator) ??
    optionsOfChange(text, operator) ??
    misspeltChange(text, operator) ??
    bareResource(text, operator);
  const isName = ownVerbs.has(named?.instead?.split(" ")[1] ?? "");
  const setting = isWhole(operator) ? /^([A-Za-z][\w-]*(?:\.[\w-]+)+)[= ]\S+$/.exec(text)?.[1] : undefined;
  if (setting !== undefined)
    return { why: "the target is the setting alone", help: `write \`${setting}\``, instead: setting };
  return isName ? named : (commandTarget("config", text, operator) ?? named);
}

/** Finds the signal of a kill before or in place of what is ended. */
function signalled(text: string, operator: string): WrongShape | undefined {
  const why = "a signal is no target";
  if (isWhole(operator) && /^-(?:\d+|[A-Z]+)$/.test(text))
    return { why, help: "name what is ended: a process, a service, or `system`" };
  if (!isWhole(operator) && operator !== "starts_with" && operator !== "glob") return undefined;
  const sign =
    /^(?:-\d+|-(?:SIG)?[A-Z]{3,6}\d?|(?:-s|-n|--signal)[ =]+\S+|-(?:f|x|9))(?: +-{1,2}[a-z]\S*)* +(?=\S)/.exec(
      text,
    )?.[0];
  const target = text.slice(sign?.length);
  return sign === undefined ? undefined : { why, help: `write \`${target}\``, instead: target };
}

/** Makes the shape of a field with few values, which may get others in future. */
function oneOf(known: readonly string[], others: Readonly<Record<string, string>> = {}): Shape {
  return (text, operator) => {
    if (!isWhole(operator) || known.includes(text)) return undefined;
    const lower = text.toLowerCase();
    const meant = known.includes(lower) ? lower : Object.hasOwn(others, lower) ? others[lower] : undefined;
    if (meant !== undefined) return { why: `that is \`${meant}\``, help: `write \`${meant}\``, instead: meant };
    return { why: "no host gives it", help: `known here: ${known.map((one) => `\`${one}\``).join(", ")}` };
  };
}

const program: Shape = (text, operator) => {
  const begun = operator === "starts_with" || operator === "contains" ? /^([\w.+-]+) /.exec(text)?.[1] : undefined;
  if (begun !== undefined && programOf(begun) !== undefined)
    return {
      why: "the words after a program are not part of its name",
      help: `test \`program: ${begun}\`, and its words by \`subcommand\`, \`operands\` or \`has_option\``,
    };
  if (/[/\\]/.test(text) && !isWhole(operator) && !/[[{]/.test(text))
    return {
      why: "a program has no folder in its name",
      help: "test the place with `path` of the command: `c.path: { within: /usr/bin }`",
    };
  if (operator === "starts_with" || operator === "glob") {
    const start = /^[^*?[{\\]*/.exec(text)?.[0] ?? "";
    const named = start.replace(/[.-]+$/, "");
    const plain = withoutVersion(named);
    return plain === named ? undefined : { why: `facts fold versions: it is \`${plain}\``, help: `write \`${plain}\`` };
  }
  const [first = "", subcommand] = text.split(" ");
  if (!isWhole(operator) || subcommand === undefined) return undefined;
  if (programOf(first) === undefined) {
    const isList = /^[a-z][\w.-]*(?:[ ,]+[a-z][\w.-]*)+,?$/.test(text);
    return isList
      ? { why: "no name of a program has a blank in it", help: `write \`[${text.split(/[ ,]+/).join(", ")}]\`` }
      : undefined;
  }
  const isOption = subcommand.startsWith("-");
  const second = isOption ? `\`{ has_option: ${subcommand} }\`` : `\`subcommand: ${subcommand}\``;
  return {
    why: "the words after a program are not part of its name",
    help: `test \`program: ${first}\` and ${second}`,
  };
};

/** Ports of schemes that authors name in place of the number. */
const ports: Readonly<Record<string, string>> = {
  ...{ http: "80", https: "443", ssh: "22", ftp: "21", smtp: "25", dns: "53", mysql: "3306", postgres: "5432" },
  ...{ redis: "6379", mongodb: "27017" },
};

/** Checks a port: a number as a text, without zeros before it. */
function port(text: string, operator: string): WrongShape | undefined {
  if (!isWhole(operator)) return undefined;
  const number = Number(text);
  if (/^[1-9]\d{0,4}$/.test(text) && number <= 65_535) return undefined;
  const lower = text.toLowerCase();
  const instead = Object.hasOwn(ports, lower) ? (ports[lower] as string) : text.replace(/^:?0*/, "");
  const isPort = /^[1-9]\d{0,4}$/.test(instead) && Number(instead) <= 65_535;
  if (text === "" || text === "0") return undefined;
  const why = text.startsWith(":") ? "a port has no colon" : "a port is a number from 1 to 65535";
  return isPort ? { why, help: `write \`"${instead}"\``, instead } : { why, help: "write its number in quotes" };
}

/** Checks what a command's text may hold: the words of one command, without redirects, pipes and what joins commands. */
function commandText(text: string, operator: string): WrongShape | undefined {
  if (!["contains", "starts_with", "ends_with", "equals", "in"].includes(operator)) return undefined;
  const sign = /(?:^|\s)(\|\|?|&&|;|[0-9&]?>>?|<{1,3})(?=\s|$)/.exec(text)?.[1];
  if (sign === undefined) return undefined;
  const help = sign.includes(">")
    ? "test what is written: `each: { w: effects.writes }`, or `redirects` of the command"
    : sign.startsWith("|") && sign.length === 1
      ? "test the command behind it by `piped_from` and `piped_to`"
      : sign.startsWith("<")
        ? "test what is read: `each: { r: effects.reads }`, or `redirects` of the command"
        : "test each command by itself, as `each` goes through them";
  // In quotes it is a letter like any other.
  return { why: `\`${sign}\` is part of a command's text in quotes alone`, help, seen: "in part" };
}

/** Finds several blanks between words, in a text or a pattern: facts have the words of a command with one between them. */
function twoBlanks(text: string): WrongShape | undefined {
  if (text.length > 4_096 || !/[\w-](?: {2,}|\t[ \t]*)[\w-]/.test(text)) return undefined;
  const instead = text.replace(/(?<=[\w-])(?: {2,}|\t[ \t]*)(?=[\w-])/g, " ");
  const why = "facts have one blank between the words of a command; more stand only inside a word in quotes";
  return { why, help: `write \`${instead}\``, instead, seen: "in part" };
}

/** Finds a word of the shell or an option where a name of a program belongs. */
function noName(text: string, operator: string): WrongShape | undefined {
  if (!isWhole(operator)) return undefined;
  if (/^-{1,2}\w/.test(text))
    return { why: "an option is no program", help: `test \`{ has_option: ${text} }\` of the command` };
  return /^(?:[|&;<>]+|\d?>&?\d?)$/.test(text)
    ? {
        why: "it joins commands or files, and is no program",
        help: "test `piped_from`, `redirects`, or the effect itself",
      }
    : undefined;
}

const shapes: Readonly<Record<string, Shape>> = {
  "url.scheme": (text) =>
    without(text, /[A-Z]/, text.toLowerCase(), "schemes are in lower case") ??
    without(text, /:/, text.replace(/:.*$/, ""), "a scheme has no colon"),
  "url.port": port,
  "url.path": urlPath,
  "url.query": (text, operator) =>
    isWhole(operator) || operator === "starts_with"
      ? without(text, /^\?/, text.slice(1), "the query begins behind the `?`")
      : undefined,
  "url.userinfo": (text) => {
    const why = "it ends before the `@`, and another one stands there as `%40`";
    if (text === "@") return { why, help: 'write `{ not_equals: "" }` for any' };
    return without(text, /@/, text.replace(/@.*$/s, ""), why);
  },
  "path.ext": (text, operator) => extension(text) ?? (operator === "equals" ? dottedName(text) : undefined),
  "path.name": (text, operator) =>
    /\//.test(text)
      ? { why: "it is the last component of a path", help: `test the path itself: \`${namedPlace(text)}\`` }
      : nameCase(text, operator),
  "path.lexical": placeText,
  "path.real": placeText,
  "command.cwd": folderText,
  path: (text, operator) => placeMarks(text, operator) ?? nameCase(text, operator),
  "tool.server": (text, operator) =>
    isWhole(operator) || operator === "starts_with"
      ? without(text, /^mcp__/, text.replace(/^mcp__|__.*$/g, ""), "a server is its name alone")
      : undefined,
  "push_target.branch": branch,
  "environment.shell": shellName,
  "environment.user": userName,
  "environment.branch": branch,
  "environment.default_branch": (text, operator) =>
    /^[\w.-]+\/\*+$/.test(text) && operator === "glob"
      ? {
          why: "a repository has one default branch",
          help: "test the branch that is checked out: `environment.branch`",
        }
      : branch(text, operator),
  "text_place.code": (text, operator) => {
    const instead = `U+${text.replace(/^(?:U\+|0x|\\u)?0*(?=[0-9a-f]{4})/i, "").toUpperCase()}`;
    if (!isWhole(operator) || instead === text || !/^U\+[0-9A-F]{4,6}$/.test(instead)) return undefined;
    return { why: "a character is written as `U+200B`, with capitals", help: `write \`${instead}\``, instead };
  },
  "message.tool_name": (text, operator) => {
    const instead = canonicalTool(text);
    if (!isWhole(operator) || instead === text) return undefined;
    return { why: "names of tools are canonical", help: `write \`${instead}\``, instead };
  },
  "command.program": (text, operator) => noName(text, operator) ?? program(text, operator),
  "command.text": commandText,
  "config_change.target": changed,
  "kill.target": (text, operator) =>
    signalled(text, operator) ?? resourceKind(text, operator) ?? commandTarget("kills", text, operator),
  "run.target": (text, operator) => commandTarget("runs", text, operator),
  ...besideShapes,
  command: (text, operator) =>
    (isWhole(operator) || operator === "starts_with" || operator === "glob") && /^!!?(?=\w|\s|\*|$)/.test(text)
      ? {
          why: "the host takes its mark away",
          help: "write `exclude_from_context: true` for what is hidden from the model",
        }
      : undefined,
  "input.source": oneOf(["interactive", "rpc", "extension"], {
    user: "interactive",
    human: "interactive",
    typed: "interactive",
  }),
  "redirect.operator": oneOf(
    [">", ">>", ">|", "&>", "&>>", ">&", "<>", "<", "<<", "<<-", "<<<", "<&", ">!", ">>!", ">>|"],
    {
      append: ">>",
      write: ">",
      output: ">",
      overwrite: ">",
      read: "<",
      input: "<",
    },
  ),
  "message.role": (text, operator) => {
    const meant = Object.hasOwn(roles, text) ? roles[text] : undefined;
    return isWhole(operator) && meant !== undefined
      ? { why: `that is \`${meant}\``, help: `write \`${meant}\``, instead: meant }
      : undefined;
  },
};

const roles: Readonly<Record<string, string>> = {
  tool: "tool_result",
  function: "tool_result",
  toolResult: "tool_result",
  human: "user",
  User: "user",
  model: "assistant",
  bot: "assistant",
  agent: "assistant",
  llm: "assistant",
  ai: "assistant",
  Assistant: "assistant",
};
