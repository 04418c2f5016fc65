import type { Span } from "../../diagnostics/source.ts";
import { didYouMean, suggest } from "../../diagnostics/suggest.ts";
import { pathClasses } from "../../facts/paths/classes.ts";
import { testOperators } from "../../rules/ast.ts";
import { callableNames } from "../../rules/signatures.ts";
import { toolsWith } from "../../rules/tool-spellings.ts";
import type { Field, Type } from "../../rules/types.ts";
import { negatedHelp, negatedOperator } from "../parse/test-help.ts";
import type { Checker, Scope } from "./context.ts";
import { declaredHelp } from "./declared-help.ts";
import { otherArgument, otherField } from "./other-fields.ts";

/** Help for a name, field or function that does not exist: the same thing a level deeper, or our name for it. */

type Fields = ReadonlyMap<string, Field>;

const operators: ReadonlySet<string> = new Set(testOperators);

/** Finds the paths of a field name in a record and the records inside it; shallow ones first. A command contains others. */
function pathsWith(fields: Fields, name: string, deep = 2): readonly string[] {
  const found: string[] = [];
  const visit = (at: Fields, path: string, left: number): void => {
    for (const [own, { type }] of at) {
      const here = path === "" ? own : `${path}.${own}`;
      if (own === name && path !== "") found.push(here);
      if (left > 0 && type.kind === "record" && own !== "parent" && !/^piped_/.test(own))
        visit(type.fields(), here, left - 1);
    }
  };
  visit(fields, "", deep);
  return found.toSorted((a, b) => a.split(".").length - b.split(".").length);
}

/** Help for a field that a record does not have. */
export function fieldHelp(checker: Checker, record: string, fields: Fields, name: string, span: Span): string {
  const known = [...fields.keys()];
  const rest = /^(?:\.[A-Za-z_]\w*)+/.exec(checker.textAt({ start: span.end, end: span.end + 200 }))?.[0];
  const begins = rest?.slice(1).split(".")[0] ?? "";
  if (rest !== undefined && (fields.has(begins) || checker.environment.variables.get(name)?.slot !== undefined))
    return `a path in here begins at the element: write \`${rest.slice(1)}\``;
  if (callableNames(true).includes(name) && !fields.has(name) && record === "session")
    return `write \`session.${name}()\`, in an expression`;
  const ofClass = /^is_([a-z_]+)$/.exec(name)?.[1];
  if (ofClass !== undefined && fields.has("path") && (pathClasses as readonly string[]).includes(ofClass))
    return `a class is a test of the path: write \`path: { is: ${ofClass} }\``;
  if (record === "write" && /^(?:content|contents|text|body|added|data)$/.test(name))
    return "the text that the tool `write` is given is `args.content`";
  if (record === "install" && /^(?:version|versions|ver|tag|semver|range|latest|unpinned|is_pinned)$/.test(name))
    return "write `pinned: false` for a package without one exact version; a version stands in `name`: `left-pad@1.3.0`";
  const argument = record === "args" ? otherArgument(name, fields) : undefined;
  if (argument !== undefined) return `write \`args.${argument}\``;
  const wrongPlace = operatorHelp(checker, record, fields, name, span);
  if (wrongPlace !== undefined) return wrongPlace;
  const operator = operators.has(name) ? fieldFor(name, fields) : undefined;
  if (operator !== undefined)
    return `an operator stands under a field: write \`${before(checker, span)}${operator}: { ${name}: … }\``;
  const other = otherField(record, name);
  if (other?.startsWith("{")) return `write \`${other}\` at what stands before the dot`;
  if (other !== undefined) return `write \`${other}\``;
  const near = suggest(name, known);
  const [deeper] = pathsWith(fields, name);
  if (deeper !== undefined) return `write \`${deeper}\``;
  const having = record === "args" ? toolsWith(name) : [];
  if (having.length > 0 && near === undefined) {
    const tools = having.map((tool) => `\`${tool}\``).join(" and ");
    const shared = known.map((one) => `\`${one}\``).join(", ");
    return `${tools} ${having.length === 1 ? "has" : "have"} it; the tools of this rule ${shared === "" ? "have no argument in common" : `have ${shared}`}`;
  }
  const isFirst = checker.textAt({ start: span.start - 1, end: span.start }) !== ".";
  if (near === undefined && isFirst && checker.environment.variables.has(name))
    return `paths in here begin at the element; put a test of \`${name}\` beside it`;
  return didYouMean(name, known);
}

/** Help for an operator in the place of a field: `d.path.within`, `d.path.not_within`, `input.contains`. */
function operatorHelp(checker: Checker, record: string, fields: Fields, name: string, span: Span): string | undefined {
  if (fields.has(name)) return undefined;
  const path = before(checker, span).slice(0, -1);
  if (path === "") return undefined;
  const negated = negatedOperator(name);
  const operator = negated ?? (operators.has(name) ? name : undefined);
  if (operator === undefined) return undefined;
  const text = textField(record, fields);
  const tested = record === "path" || record === "url" ? path : text === undefined ? undefined : `${path}.${text}`;
  if (tested === undefined || (text !== undefined && !ofTexts.test(operator))) return undefined;
  return negated === undefined
    ? `an operator stands under what it tests: \`${tested}: { ${name}: … }\``
    : negatedHelp(tested, negated);
}

/** Operators of texts. */
const ofTexts = /^(?:contains(?:_any|_all)?|starts_with|ends_with|matches|glob|equals|in)$/;

/** The field that authors mean by a record, where it is not called `text`. */
const textFields: Readonly<Record<string, string | undefined>> = {
  path: undefined,
  url: undefined,
  tool: "name",
  push: "target.branch",
  push_target: "branch",
  network_access: "url.host",
  install: "name",
  run: "target",
  kill: "target",
  config_change: "target",
};

/** Returns the field with the text of a record that has one: `text` of a result, an input or a command. */
export function textField(record: string, fields: Fields): string | undefined {
  if (Object.hasOwn(textFields, record)) return textFields[record];
  return fields.get("text")?.type.kind === "string" ? "text" : undefined;
}

/** Returns the path before a name, with its dot; "" where the path begins at an element. */
function before(checker: Checker, { start }: Span): string {
  return /(?:[A-Za-z_]\w*\.)+$/.exec(checker.textAt({ start: Math.max(0, start - 200), end: start }))?.[0] ?? "";
}

/** Returns the path of the field that an operator of paths or hosts can test; undefined if the record has none. */
function fieldFor(operator: string, fields: Fields): string | undefined {
  const ofPath = /^(?:within|glob|is|starts_with|ends_with)$/.test(operator);
  const ofHost = /^(?:host_in|lookalike_of|cidr)$/.test(operator);
  if (!ofPath && !ofHost) return undefined;
  const wanted = ofPath ? "path" : "url";
  const found = [...fields].find(([, { type }]) => type.kind === "record" && type.name === wanted);
  return found && `${found[0]}${ofHost ? ".host" : ""}`;
}

/** Returns the help for an operator in the place of a path: `has_option` beside `c.program`. */
function misplacedOperator(name: string, variables: Checker["environment"]["variables"]): string | undefined {
  if (!operators.has(name)) return undefined;
  const element = [...variables.values()].find(({ slot }) => slot !== undefined);
  const field = element?.type.kind === "record" ? fieldFor(name, element.type.fields()) : undefined;
  const path = element === undefined ? "path" : `${element.name}${field === undefined ? "" : `.${field}`}`;
  return `an operator stands under what it tests: \`${path}: { ${name}: … }\``;
}

/** True for the variable of a quantifier in YAML, which no author can name. */
const isOfQuantifier = (name: string): boolean => /^element\d+$/.test(name);

/** Returns help for a field of the elements that a quantifier goes through: its tests begin there, an expression does not. */
function elementHelp(name: string, { variables }: Scope): string | undefined {
  const isField = [...variables.values()].some(
    (one) => isOfQuantifier(one.name) && one.type.kind === "record" && one.type.fields().has(name),
  );
  if (!isField) return undefined;
  return `an expression does not begin at the element: in place of the quantifier write \`<list>.exists(x, … x.${name} …)\`, or bind the list with \`each\``;
}

/** Returns help for an unknown name: a field of a root, a misplaced operator, or a text without quotes. */
export function unknownHelp(checker: Checker, name: string, known: readonly string[], scope: Scope): string {
  if (name === "_") return "for any item of a list write `list.exists(item, …)`";
  const meant =
    declaredHelp(checker.environment, name) ??
    elementHelp(name, scope) ??
    rootHelp(checker, name, scope) ??
    misplacedOperator(name, checker.environment.variables);
  if (meant !== undefined) return meant;
  const help = didYouMean(
    name,
    known.filter((one) => !isOfQuantifier(one)),
  );
  return help.startsWith("known here") ? `a text stands in quotes: \`"${name.slice(0, 80)}"\`; ${help}` : help;
}

/** Roots that other products have, with where the same stands here. */
const otherRoots: Readonly<Record<string, string>> = {
  tool_input: "`args`",
  tool_name: "`tool.name`",
  toolname: "`tool.name`",
  tool_response: "`result`",
  tool_output: "`result`",
  input: "`tool.name` for the tool, `args` for what it is given",
  arguments: "`args`",
  params: "`args`",
  parameters: "`args`",
  request: "`args`",
  principal: "`agent`, or `environment.user`",
  resource: "`args`, or an effect by `each`",
  context: "`environment`, or `session`",
  ctx: "`environment`, or `session`",
  env: "`environment.variables`",
  time: "`now`",
  file_path: "`args.path`",
  filename: "`args.path`",
  file: "`args.path`",
  hook_event_name: "`event`",
  program: "`each: { c: shell.commands }` and `c.program`",
  subcommand: "`each: { c: shell.commands }` and `c.subcommand`",
  some: "`list.exists(item, …)`",
  every: "`list.all(item, …)`",
  any: "`list.exists(item, …)`",
  evt: "`event`, `now` for its time, and facts such as `shell.commands`",
  proc: "`each: { c: shell.commands }` and `c.program`",
  fd: "`each: { w: effects.writes }` and `w.path`",
};

/** Returns help with the field that an author may have meant by a name: that of a root, or another product's word for one. */
export function rootHelp(checker: Checker, name: string, scope: Scope): string | undefined {
  const { variables } = checker.environment;
  const roots = [...variables].filter(([root]) => !scope.variables.has(root));
  const inside = (wanted: string): string | undefined => {
    for (const [root, { type, slot }] of roots)
      if (type.kind === "record" && type.fields().has(wanted) && slot === undefined) return `${root}.${wanted}`;
    for (const [root, { type, slot }] of roots)
      if (type.kind === "record" && type.fields().has(wanted) && slot !== undefined) return `${root}.${wanted}`;
    return undefined;
  };
  const exact = inside(name);
  if (exact !== undefined) return `did you mean \`${exact}\`?`;
  const other = otherRoots[name.toLowerCase()];
  if (Object.hasOwn(otherRoots, name.toLowerCase()) && other !== undefined) return `here that is ${other}`;
  if (variables.has("args") && toolsWith(name).length > 0) return `did you mean \`args.${name}\`?`;
  if (suggest(name, [...scope.variables.keys(), ...variables.keys()]) !== undefined) return undefined;
  const all = roots.flatMap(([, { type }]) => (type.kind === "record" ? [...type.fields().keys()] : []));
  const near = name.length > 3 ? suggest(name, all) : undefined;
  const path = near === undefined ? undefined : inside(near);
  return path === undefined ? undefined : `did you mean \`${path}\`?`;
}

/** Functions and methods of other languages, by ours. */
const otherFunctions: Readonly<Record<string, string>> = {
  size: "length len count strlen",
  contains: "includes has substr strpos includesstring",
  startsWith: "hasprefix beginswith startwith",
  endsWith: "hassuffix endwith",
  matches: "match test regex regexp research rematch regexmatch",
  lowerAscii: "lower tolower tolowercase lowercase downcase casefold",
  upperAscii: "upper toupper touppercase uppercase upcase",
  exists: "some any find contains_where",
  all: "every forall each",
  trim: "strip trimspace",
  split: "explode",
  join: "implode",
  glob: "like fnmatch globmatch wildcard",
  orValue: "getorelse unwrapor ordefault get",
  replace: "replaceall sub gsub",
  has: "defined isset hasfield exist isdefined",
};

const bare = (name: string): string => name.toLowerCase().replaceAll("_", "");

const meant: ReadonlyMap<string, string> = new Map(
  Object.entries(otherFunctions).flatMap(([own, others]) =>
    others.split(" ").map((other) => [bare(other), own] as const),
  ),
);

const macros = ["all", "exists", "exists_one", "filter", "map"];

/** Returns our name of another language's function; undefined if there is none. */
export function functionHelp(name: string): string | undefined {
  const wanted = bare(name);
  const methods = [...callableNames(true), ...macros];
  const own = methods.find((one) => bare(one) === wanted) ?? meant.get(wanted);
  if (own === "has") return "write `has(value.field)`";
  if (own === "size") return "write `size(value)`";
  if (own !== undefined && macros.includes(own)) return `write \`list.${own}(x, …)\``;
  if (own !== undefined) return own === name ? undefined : `write \`value.${own}(…)\``;
  const plain = callableNames(false).find((one) => bare(one) === wanted);
  return plain === undefined || plain === name ? undefined : `write \`${plain}(…)\``;
}

/** Returns help for a field of a value that has no fields. */
export function noFieldHelp(type: Type, field: string, path = "", isKey = false): string {
  if (isKey && (testOperators as readonly string[]).includes(field) && /^[\w.]{1,80}$/.test(path))
    return `an operator stands under the path: \`${path}: { ${field}: … }\``;
  if (type.kind === "list" && /^(?:effects|shell)\.\w+$/.test(path)) {
    const name = path.split(".")[1]?.[0] ?? "x";
    return `a list has no fields; bind its elements, \`each: { ${name}: ${path} }\`, and test \`${name}.${field}\``;
  }
  if (type.kind === "list" && /^(?:length|count|size|len)$/.test(field))
    return `write \`${path === "" ? "list" : path}.size()\`, or the test \`size\` in YAML`;
  if (type.kind === "list") return "a list has no fields; use `exists`, `all` or an index";
  return functionHelp(field) ?? "look at the type of what stands before the dot";
}

/** Texts of events by the names that other events have for theirs. */
const ownTexts: Readonly<Record<string, string>> = {
  user_bash: "command",
  user_python: "code",
  input: "input.text",
  before_agent_start: "prompt",
};

/** Returns help for the text of another event, in a rule of one event that has a text of its own; undefined elsewhere. */
export function ownText({ environment }: Checker, name: string): string | undefined {
  const [event = ""] = environment.events;
  const own = Object.hasOwn(ownTexts, event) ? ownTexts[event] : undefined;
  const isText = name === "args" || Object.values(ownTexts).some((text) => text.split(".")[0] === name);
  return own !== undefined && isText ? `the text of \`${event}\` is \`${own}\`` : undefined;
}
