import type { Span } from "../../diagnostics/source.ts";
import { programName, withoutVersion } from "../../facts/shell/names.ts";
import type { DeclaredEffect, DeclaredText, ProgramClaim } from "../../schema/declarations.ts";
import { type EffectKind, effectKinds } from "../../schema/facts.ts";
import { limits } from "../../schema/limits.ts";
import { isToolGlob } from "../../schema/tool-matcher.ts";
import type { ProgramDraft, ToolDraft } from "../policy-draft.ts";
import { child, strings, text, type YamlNode } from "../yaml-node.ts";
import { booleanOf, items, mapEntries, type ParseContext } from "./context.ts";
import { declaredText, type Holes, type OptionDraft } from "./declared-text.ts";

/** Parses `programs:` of a policy, by name. Reports errors within one declaration; conflicts between them are found later. */
export function parsePrograms(context: ParseContext, node: YamlNode | undefined): ReadonlyMap<string, ProgramDraft> {
  return new Map(mapEntries(node).map(({ key, keySpan, value }) => [key, programOf(context, key, keySpan, value)]));
}

/** Parses `tools:` of a policy, by name. Of two tools with the same name the first counts; a second one that differs is reported. */
export function parseTools(context: ParseContext, node: YamlNode | undefined): ReadonlyMap<string, ToolDraft> {
  const tools = new Map<string, ToolDraft>();
  for (const item of node?.kind === "scalar" ? [node] : items(node)) {
    const tool = toolOf(context, item);
    if (!tool) continue;
    const before = tools.get(tool.claim.name);
    if (before && JSON.stringify(before.claim) !== JSON.stringify(tool.claim))
      context.report(
        "HW415",
        tool.span,
        `tool \`${shown(tool.claim.name)}\` is declared twice, and not alike`,
        "keep one of the two",
      );
    if (!before) tools.set(tool.claim.name, tool);
  }
  return tools;
}

function programOf(context: ParseContext, name: string, span: Span, node: YamlNode): ProgramDraft {
  const fault = nameFault(name);
  if (fault) context.report("HW104", span, `\`${shown(name)}\` is no name of a program: ${fault.why}`, fault.help);
  const options = optionsOf(context, name, child(node, "options"));
  const aliases = strings(child(node, "aliases"));
  bounded(context, child(node, "aliases"), aliases.length, limits.declaredAliases, "aliases");
  for (const { value, node: at } of aliases) reportAlias(context, name, value, at.span);
  const holes: Holes = { of: "program", options };
  const effects = effectsOf(context, child(node, "effects"), holes);
  const claim: ProgramClaim = {
    name,
    aliases: aliases.map(({ value }) => value),
    options: options.map(({ names, takes }) => `${names.join(" ")}${takes ? "=" : ""}`),
    ...(effects && { effects }),
    ...(text(child(node, "wraps")) === "rest" && { wraps: "rest" as const }),
  };
  return { claim, span, aliasSpans: aliases.map(({ node: at }) => at.span) };
}

/** Returns why no fact ever contains this program name, and what to write instead; undefined for a good name. */
function nameFault(name: string): { readonly why: string; readonly help: string } | undefined {
  if (name === "" || name.length > limits.sessionName)
    return { why: "it is empty or too long", help: "write its name" };
  if (/[\s\p{Cc}]/u.test(name))
    return { why: "it holds a space or a character that nobody sees", help: "write one word, without arguments" };
  if (name.includes("/") || name.includes("\\"))
    return { why: "a program has no folder in its name", help: "write its bare name, and the path under `aliases`" };
  if (/[*?{}]|\[.*\]/.test(name))
    return { why: "a declaration is for one program, and no pattern", help: "declare each program by its whole name" };
  if (name.startsWith("-") || name === "." || name === "..") return { why: "it names nothing", help: "write its name" };
  const folded = withoutVersion(programName(name));
  return folded === name ? undefined : { why: `facts have \`${folded}\``, help: `write \`${folded}\`` };
}

function reportAlias(context: ParseContext, name: string, alias: string, span: Span): void {
  const base = alias.slice(alias.lastIndexOf("/") + 1);
  const isPath = alias.includes("/");
  const isWhole = alias.length <= limits.labelledPath && !/\p{Cc}/u.test(alias) && base !== "" && !/[*?[{]/.test(alias);
  const fault = isPath
    ? isWhole && base !== ".." && base !== "." && !/^~[^/]/.test(alias)
      ? undefined
      : { why: "it is no path of one file", help: "write a path such as `./bin/deploy`, without wildcards" }
    : nameFault(alias);
  if (fault) context.report("HW104", span, `\`${shown(alias)}\` is no alias: ${fault.why}`, fault.help);
  else if (alias === name)
    context.report(
      "HW104",
      span,
      `\`${shown(alias)}\` is the name itself`,
      "leave it out, or write another name or a path",
    );
}

function optionsOf(context: ParseContext, program: string, node: YamlNode | undefined): readonly OptionDraft[] {
  const entries = mapEntries(node);
  bounded(context, node, entries.length, limits.declaredOptions, "options");
  const seen = new Set<string>();
  return entries.flatMap(({ key, keySpan, value }) => {
    const names = key.split(" ");
    const wrong = names.find((name) => !/^--?[A-Za-z0-9?#@][\w.-]*$/.test(name) || name.length > limits.sessionName);
    if (wrong !== undefined) {
      const help = "write an option with its dashes, such as `--env`, or its spellings, such as `-e --env`";
      context.report("HW104", keySpan, `\`${shown(wrong)}\` is no option of \`${shown(program)}\``, help);
      return [];
    }
    const twice = names.find((name) => seen.has(name));
    if (twice !== undefined)
      context.report("HW401", keySpan, `option \`${shown(twice)}\` is declared twice`, "declare each spelling once");
    for (const name of names) seen.add(name);
    return [{ names, takes: text(value) === "value" }];
  });
}

/** Parses `effects:`, a list of effects. */
function effectsOf(
  context: ParseContext,
  node: YamlNode | undefined,
  holes: Holes,
): readonly DeclaredEffect[] | undefined {
  if (!node) return undefined;
  const list = items(node);
  bounded(context, node, list.length, limits.declaredEffects, "effects");
  return list.flatMap((item) =>
    mapEntries(item).flatMap(({ key, value }) => effectOf(context, key, value, holes) ?? []),
  );
}

function toolOf(context: ParseContext, node: YamlNode): ToolDraft | undefined {
  if (node.kind === "scalar") return { claim: { name: String(node.value ?? "") }, span: node.span };
  if (node.kind !== "map") return undefined;
  const at = child(node, "name");
  const name = text(at) ?? "";
  const span = at?.span ?? node.span;
  if (isToolGlob(name) || /[\s\p{Cc}]/u.test(name))
    context.report(
      "HW104",
      span,
      `\`${shown(name)}\` is no name of one tool`,
      "write the whole name: what a tool does is said of one tool",
    );
  const holes: Holes = { of: "tool" };
  const own = node.entries.filter(({ key }) => isKind(key));
  const effects = [
    ...own.flatMap(({ key, value }) => effectOf(context, key, value, holes) ?? []),
    ...(effectsOf(context, child(node, "effects"), holes) ?? []),
  ];
  const isSaid = own.length > 0 || child(node, "effects") !== undefined;
  return { claim: { name, ...(isSaid && { effects }) }, span };
}

function isKind(key: string): key is EffectKind {
  return (effectKinds as readonly string[]).includes(key);
}

function effectOf(context: ParseContext, kind: string, node: YamlNode, holes: Holes): DeclaredEffect | undefined {
  if (!isKind(kind)) return undefined;
  // A declaration that is a single text gives the target of the effect (its main key).
  const of = (key: string): DeclaredText =>
    node.kind === "scalar" && key !== mainKeys[kind] ? [] : (textOf(context, node, key, holes) ?? []);
  const flag = <Name extends string>(name: Name): Partial<Record<Name, true>> =>
    booleanOf(child(node, name)) === true ? ({ [name]: true } as Record<Name, true>) : {};
  switch (kind) {
    case "reads":
      return { kind, path: of("path"), ...flag("recursive"), ...flag("metadata_only") };
    case "writes":
    case "deletes":
      return { kind, path: of("path"), ...flag("recursive") };
    case "network":
      return { kind, url: of("url"), direction: directionOf(child(node, "direction")) };
    case "runs":
    case "config":
    case "kills":
      return { kind, target: of("target") };
    case "installs":
      return { kind, name: of("name"), manager: of("manager"), source: of("source") };
    case "pushes": {
      const branch = node.kind === "map" ? textOf(context, node, "branch", holes) : undefined;
      return {
        ...{ kind, remote: of("remote") },
        ...(branch && { branch }),
        ...flag("forced"),
        ...flag("mirror"),
        ...flag("delete"),
      };
    }
  }
}

const mainKeys: Readonly<Record<EffectKind, string>> = {
  reads: "path",
  writes: "path",
  deletes: "path",
  network: "url",
  runs: "target",
  config: "target",
  kills: "target",
  installs: "name",
  pushes: "remote",
};

function directionOf(node: YamlNode | undefined): "upload" | "download" | "both" {
  const given = text(node);
  return given === "upload" || given === "download" ? given : "both";
}

/** Reads a text of an effect: the effect itself if it is a single text, otherwise the value of the key. */
function textOf(context: ParseContext, node: YamlNode, key: string, holes: Holes): DeclaredText | undefined {
  const at = node.kind === "map" ? child(node, key) : node;
  return at?.kind === "scalar" && typeof at.value === "string" ? declaredText(context, at, holes) : undefined;
}

function bounded(context: ParseContext, node: YamlNode | undefined, given: number, most: number, what: string): void {
  if (given <= most || !node) return;
  context.report("HW418", firstOf(node), `${given} ${what}, at most ${most}`, "declare fewer, or several programs");
}

function firstOf(node: YamlNode): Span {
  const first = node.kind === "map" ? node.entries[0]?.keySpan : items(node)[0]?.span;
  return first ?? node.span;
}

/** Returns a name as messages show it: without control characters, and cut to 60 characters. */
export function shown(name: string): string {
  const plain = name.replace(/\p{Cc}/gu, "�");
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain;
}
