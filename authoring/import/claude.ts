import { child, entry, strings, text, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Source } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { any, literal } from "./cel-text.ts";
import { hookRules } from "./claude-hooks.ts";
import { pathTest } from "./claude-path.ts";
import { permissionRules, type Verb } from "./claude-permission.ts";
import { type Imported, type ImportFile, Report } from "./imported.ts";
import { type JsonFile, readJsonObject, scalarOf, unusable } from "./json-file.ts";
import { type ImportedRule, type PolicyHead, rulePolicy } from "./rule-policy.ts";

const help = "give settings of Claude Code (JSON) with `permissions` or `hooks`";

/** Default answer without a permission, by mode. */
const modes: Readonly<Record<string, "allow" | "ask" | "block">> = {
  default: "ask",
  acceptEdits: "ask",
  plan: "ask",
  auto: "ask",
  dontAsk: "block",
  bypassPermissions: "allow",
};

/**
 * Converts settings of Claude Code (`settings.json`, several together) to a policy. Permissions become rules on parsed
 * commands, effects, hosts and tools; hooks become `run` rules. Where the two languages differ it takes the stricter
 * reading, and reports it. Never throws; the policy compiles, is formatted, and its examples hold. Source: issue of step 8,
 * part 8; hosts page, Claude Code.
 */
export function importClaude(files: readonly ImportFile[], regex: RegexEngine): Imported {
  const read: JsonFile[] = [];
  for (const file of files) {
    const one = readJsonObject(file, help);
    if ("problem" in one) return failed([one.source], [one.problem]);
    read.push(one);
  }
  const sources = read.map(({ source }) => source);
  const importer = new Importer(regex);
  for (const { source, root } of read) importer.file(source, root);
  const { report, rules, count } = importer;
  if (count === 0)
    return failed(sources, [unusable(sources[0] as Source, "no permission and no hook in the file", help)]);
  const made = rulePolicy(importer.head(files), [...rules, ...importer.standing()], report, regex);
  const carried =
    new Set(made.kept.map(({ from }) => `${from.source.name}:${from.rule}`)).size - importer.standingCount;
  const result = { sources, rules: count, carried: Math.max(0, carried), notCarried: report.items(sources) };
  if (made.policy !== undefined || made.diagnostics.length > 0) return { ...result, ...pick(made) };
  return {
    ...result,
    ...failed(sources, [unusable(sources[0] as Source, "nothing of the file can be carried over", help)]),
    notCarried: result.notCarried,
  };
}

function pick({
  policy,
  diagnostics,
}: Pick<Imported, "policy" | "diagnostics">): Pick<Imported, "policy" | "diagnostics"> {
  return { policy, diagnostics };
}

function failed(sources: readonly Source[], diagnostics: Imported["diagnostics"]): Imported {
  return { policy: undefined, sources, rules: 0, carried: 0, notCarried: [], diagnostics };
}

/** Gathers the content of the files. */
class Importer {
  readonly report = new Report();
  readonly rules: ImportedRule[] = [];
  /** Number of permissions and hooks. */
  count = 0;
  standingCount = 0;
  #mode: string | undefined;
  #permissions = false;
  readonly #folders: string[] = [];
  readonly #seen = new Set<string>();
  #first: { source: Source; root: YamlNode } | undefined;
  readonly #regex: RegexEngine;

  constructor(regex: RegexEngine) {
    this.#regex = regex;
  }

  file(source: Source, root: YamlNode): void {
    this.#first ??= { source, root };
    if (root.kind !== "map") return;
    const off = scalarOf(child(root, "disableAllHooks")) === true;
    for (const { key, keySpan, value } of root.entries) {
      if (key === "permissions") this.#all(source, value);
      else if (key === "hooks" && !off) this.#hooks(source, value);
      else if (key === "hooks") this.report.leave(source, keySpan, undefined, key, "`disableAllHooks` is set", "none");
      else if (key !== "$schema" && key !== "disableAllHooks")
        this.report.leave(source, keySpan, undefined, key, "a setting that is not about permissions or hooks", "none");
    }
  }

  #hooks(source: Source, value: YamlNode): void {
    const { rules, count } = hookRules(source, value, this.report, this.#regex);
    this.rules.push(...rules);
    this.count += count;
  }

  #all(source: Source, permissions: YamlNode): void {
    if (permissions.kind !== "map") return;
    this.#permissions = true;
    for (const { key, keySpan, value } of permissions.entries) {
      if (key === "allow" || key === "ask" || key === "deny") this.#list(source, key, value);
      else if (key === "defaultMode") this.#takeMode(source, value);
      else if (key === "additionalDirectories") this.#takeFolders(source, value);
      else
        this.report.leave(
          source,
          keySpan,
          undefined,
          `permissions.${key}`,
          "not a field that this import knows",
          "none",
        );
    }
  }

  #takeFolders(source: Source, value: YamlNode): void {
    for (const { value: folder, node } of strings(value)) {
      const reason = "a folder beside the project is not known to a rule; write it from the root";
      const field = "permissions.additionalDirectories";
      if (folder.split("/").includes(".."))
        this.report.leave(source, node.span, undefined, field, reason, "guards_more");
      else this.#folders.push(folder);
    }
  }

  #list(source: Source, verb: Verb, value: YamlNode): void {
    for (const { value: permission, node } of strings(value)) {
      this.count += 1;
      const label = `${verb} ${permission}`;
      const { rules, remarks } = permissionRules(permission, verb);
      for (const { reason, effect } of remarks)
        this.report.leave(source, node.span, label.slice(0, 100), verb, reason, effect);
      if (this.#seen.has(label)) continue;
      this.#seen.add(label);
      const from = { source, span: node.span, rule: label.slice(0, 100), field: verb };
      this.rules.push(...rules.map((rule) => ({ ...rule, from })));
    }
  }

  #takeMode(source: Source, value: YamlNode): void {
    const mode = text(value) ?? "";
    this.#mode = Object.hasOwn(modes, mode) ? mode : "default";
    const say = (reason: string, effect: "guards_more" | "none"): void =>
      this.report.leave(source, value.span, undefined, "permissions.defaultMode", reason, effect);
    if (mode === "plan" || mode === "auto")
      say(`\`${mode}\` is a way to work, not a rule: what is not allowed is asked about`, "guards_more");
    else if (mode === "bypassPermissions")
      say("a call that cannot be understood is asked about all the same", "guards_more");
    else if (!Object.hasOwn(modes, mode))
      say("not a mode that this import knows: what is not allowed is asked about", "guards_more");
  }

  /**
   * Returns rules for actions that Claude Code allows without a permission: reading in its folders and, with `acceptEdits`,
   * editing there.
   */
  standing(): readonly ImportedRule[] {
    const first = this.#first;
    if (!this.#permissions || !first || this.#answer() === "allow") return [];
    const place = entry(first.root, "permissions");
    const span = place?.keySpan ?? first.root.span;
    const rule = (
      name: string,
      tools: readonly string[],
      variable: string,
      list: string,
      example: object,
    ): ImportedRule => ({
      name,
      title: `What Claude Code allows by itself: ${name}`,
      severity: "info",
      events: ["tool_call"],
      tools,
      each: [variable, list],
      when: this.#inFolders(`${variable}.path`),
      action: "{ allow: { opaque: true } }",
      match: [{ ...example }],
      noMatch: [{ ...example, args: { ...(example as { args: object }).args, path: "/srv/other/notes.txt" } }],
      from: { source: first.source, span, rule: name, field: "permissions" },
      without: "guards_more",
    });
    const rules = [
      rule("read in the project", ["read", "list", "glob", "grep"], "r", "effects.reads", {
        tool: "read",
        args: { path: "notes.txt" },
      }),
    ];
    if (this.#mode === "acceptEdits")
      rules.push(
        rule("edit in the project", ["edit", "write"], "w", "effects.writes", {
          tool: "write",
          args: { path: "notes.txt", content: "x" },
        }),
      );
    this.standingCount = rules.length;
    return rules;
  }

  #inFolders(path: string): string {
    const more = this.#folders.flatMap((folder) => {
      if (/^(?:\/|~\/)/.test(folder)) return [`${path}.within(${literal(folder)})`];
      const inside = pathTest(path, `./${folder}`, false);
      return inside ? [inside.when] : [];
    });
    return any([`${path}.within(environment.workspace)`, ...more]);
  }

  #answer(): "allow" | "ask" | "block" {
    if (!this.#permissions) return "allow";
    return modes[this.#mode ?? "default"] ?? "ask";
  }

  head(files: readonly ImportFile[]): PolicyHead {
    const from = files.map(({ name }) => name).join(", ");
    const answer = this.#answer();
    return {
      policy: "claude-settings",
      title: "Settings of Claude Code",
      description: `Permissions and hooks of \`${from}\`, imported from Claude Code.`,
      from,
      default: answer,
      unknown: !this.#permissions ? "allow" : answer === "block" ? "block" : "ask",
    };
  }
}
