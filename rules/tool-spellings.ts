import { subcommandSynonyms } from "../facts/programs/subcommand-synonyms.ts";
import { type CanonicalTool, canonicalTool, canonicalTools, hostTools, toolArguments } from "../schema/tools.ts";

/**
 * Translates other products' notations for the tools of a rule: regular expressions and permissions of Claude Code, negations,
 * words for every tool, and names of servers' tools with other separators.
 */

/** Help for a text that names no tool; undefined where no tool is near. Work is bounded by its length. */
export function toolInstead(text: string): string | undefined {
  if (text.length > mostRead) return undefined;
  return (
    everyTool(text) ??
    negated(text) ??
    permission(text) ??
    several(text) ??
    served(text) ??
    unpatterned(text) ??
    effectMeant(text)
  );
}

/** Lists of effects by words that authors write as a tool: the effect covers every tool and command. */
const doings: readonly (readonly [names: RegExp, each: string])[] = [
  [/^(?:delete|remove|rm|unlink|erase|(?:delete|remove)_?(?:files?|folder|dir|directory))$/i, "{ d: effects.deletes }"],
  [
    /^(?:move|rename|mv|copy|cp|(?:move|rename|copy)_?files?|mkdir|create_(?:directory|folder))$/i,
    "{ w: effects.writes }",
  ],
  [/^(?:installs?|package|packages|(?:install|add)_?packages?|npm|pip|pnpm|yarn)$/i, "{ i: effects.installs }"],
  [/^(?:push|git_?push)$/i, "{ p: effects.pushes }"],
  [/^(?:network|internet|https?|curl|wget|download|upload|request|http_?request|send)$/i, "{ n: effects.network }"],
  [/^(?:kill|pkill|stop_process|kill_process)$/i, "{ k: effects.kills }"],
];

function effectMeant(text: string): string | undefined {
  const found = doings.find(([names]) => names.test(text));
  return found && `leave \`tool\` out, and write \`each: ${found[1]}\`: whatever tool or command does it`;
}

/** Longest text that is read; no typed name is longer. */
const mostRead = 1_000;

/** True for a text that is a regular expression and can be no glob of tools: no name holds a dot before a star. */
export function isToolPattern(text: string): boolean {
  return /\.[*+]|\\[wdbs]|^\^|\$$/.test(text);
}

const isTool = (name: string): boolean =>
  (canonicalTools as readonly string[]).includes(name) || hostTools.includes(name) || /^mcp__\w/.test(name);

function everyTool(text: string): string | undefined {
  const every = /^(?:all|any|every|each|everything|\^?\.[*+]\$?|all_tools|any_tool)$/i.test(text);
  return every ? "`*` is every tool" : undefined;
}

function negated(text: string): string | undefined {
  const name = /^(?:!|not |-|~|\^(?=!))\s*(?:!\s*)?(\w[\w*-]*)$/i.exec(text)?.[1];
  if (name === undefined) return undefined;
  return `leave \`tool\` out, and write \`when: { not: { tool.name: ${canonicalTool(name)} } }\``;
}

/** Help for a permission of Claude Code, or the name of a tool alone; undefined for any other text. */
export function permissionHelp(text: string): string | undefined {
  if (text.length > mostRead) return undefined;
  const tool = canonicalTool(text);
  return permission(text) ?? (isTool(tool) ? `write \`tool: ${tool}\`` : undefined);
}

/** `Bash(git push:*)`: a tool and what it is given. */
function permission(text: string): string | undefined {
  const parts = /^(\w+)\(([^|]*)\)$/.exec(text);
  if (!parts) return undefined;
  const [tool, given = ""] = [canonicalTool(parts[1] as string), parts[2]];
  if (!isTool(tool)) return undefined;
  const own = toolArguments(tool) ?? {};
  if ("command" in own) {
    const [program, ...words] = given
      .replaceAll(/:\*|\*/g, " ")
      .trim()
      .split(/\s+/);
    const subcommand = words[0] !== undefined && /^\w/.test(words[0]) ? words[0] : undefined;
    const further = words.slice(subcommand === undefined ? 0 : 1).find((word) => /^\w[\w:./-]*$/.test(word));
    const option = words.find((word) => /^--?[A-Za-z]/.test(word));
    const tests = [
      program && `c.program: ${program}`,
      subcommand && `c.subcommand: ${everyWord(program ?? "", subcommand)}`,
      further && `c.operands: { contains: ${further} }`,
      option && `c: { has_option: ${option.split("=")[0]} }`,
    ].filter(Boolean);
    const when = tests.length === 0 ? "" : `, \`when: { ${tests.join(", ")} }\``;
    return `write \`tool: ${tool}\`, \`each: { c: shell.commands }\`${when}`;
  }
  if ("path" in own)
    return `write \`tool: ${tool}\`, \`when: { args.path: { glob: "${given.replace(/^\.\//, "")}" } }\``;
  if ("url" in own)
    return `write \`tool: ${tool}\`, \`when: { args.url.host: { host_in: [${given.replace(/^domain:/, "")}] } }\``;
  return `write \`tool: ${tool}\`, and test what it is given under \`when\``;
}

/** A subcommand with its other words, as a test takes them. */
function everyWord(program: string, subcommand: string): string {
  const all = [...new Set([subcommand, ...subcommandSynonyms(program, subcommand)])];
  return all.length === 1 ? subcommand : `[${all.join(", ")}]`;
}

/** Reads alternatives, however they are joined, within the marks of a regular expression. */
function several(text: string): string | undefined {
  const bare = text.replace(/^\^/, "").replace(/\$$/, "");
  const inner = /^\((?:\?:)?([^()]*)\)$/.exec(bare)?.[1] ?? bare;
  if (/[()]/.test(inner)) return undefined;
  const parts = inner.split(/\s*\|\|?\s*|\s*[,;]\s*|\s+(?:or\s+)?|\s*\+\s*/).filter((part) => part !== "");
  if (parts.length < 2) return undefined;
  return `a list names several: \`[${[...new Set(parts.map(matcherOf))].join(", ")}]\``;
}

/** One alternative as a tool matcher; a glob needs quotes in YAML. */
function matcherOf(part: string): string {
  const glob = part
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replaceAll(/\.[*+]/g, "*");
  return glob.includes("*") ? `"${glob}"` : canonicalTool(glob);
}

/** Returns a server's tool given with other separators: `mcp:github:create_issue`, `github/create_issue`, `mcp-github-*`. */
function served(text: string): string | undefined {
  const all = /^mcp_{1,2}([^_*?./:-]+)_{0,2}$/i.exec(text)?.[1];
  if (all !== undefined) return `for every tool of the server write \`mcp__${all}__*\``;
  const two = /^mcp_{1,2}([^_]+?)_{1,2}(.+)$/i.exec(text);
  if (two && !isToolPattern(text)) return `write \`mcp__${two[1]}__${two[2]}\`, with two underscores each`;
  if (isToolPattern(text)) return undefined;
  const marked = /^mcp[:./-]([\w]+)[:./-]([\w*-]+)$/i.exec(text) ?? /^([a-z]\w*)[:./]([\w*-]+)$/i.exec(text);
  return marked ? `write \`mcp__${marked[1]}__${marked[2]}\`` : undefined;
}

/** A single regular expression, as the glob that means the same. */
function unpatterned(text: string): string | undefined {
  if (!isToolPattern(text)) return undefined;
  const glob = text
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/^\((?:\?:)?([^()|]*)\)$/, "$1")
    .replaceAll(/\.[*+]|\\[wds][*+]/g, "*");
  return `a tool matcher is a glob: write \`${matcherOf(glob)}\``;
}

/** The tools that alternatives of another product's matcher name (`Edit|Write`); undefined unless each is a known tool. */
export function toolsListed(text: string): readonly string[] | undefined {
  if (!text.includes("|") || text.length > mostRead || !/^\w+(?:\|\w+)+$/.test(text)) return undefined;
  const names = [...new Set(text.split("|").map(canonicalTool))];
  return names.every(isTool) ? names : undefined;
}

/** The canonical tools that have an argument. */
export function toolsWith(argument: string): readonly CanonicalTool[] {
  return canonicalTools.filter((tool) => Object.hasOwn(toolArguments(tool) ?? {}, argument));
}
