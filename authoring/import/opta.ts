import { readYaml } from "../../compiler/read.ts";
import { child, type YamlNode } from "../../compiler/yaml-node.ts";
import { diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { canonicalEvent } from "../../schema/events.ts";
import type { OptaHook } from "../../schema/generated.ts";
import { hosts } from "../../schema/hosts.ts";
import type { Regex, RegexEngine } from "../../schema/ports.ts";
import { validateOptaConfig } from "../../schema/validators.generated.js";
import { checked, type Effect, type GitleaksImport, type NotCarried } from "./gitleaks.ts";
import { comment, mark, scalar } from "./redact-policy.ts";

/**
 * Converts an Opta configuration (JSON) to a policy whose rules run its hooks: `run` with the protocol `{ exit_code: opta
 * }`, which cancels as Opta does and gives programs Opta's variables. Everything else is listed with its place and the
 * effect of its absence. Never throws; the policy compiles and is formatted. Source: issue of step 6, part 3; semantics
 * section 6.
 */
export function importOpta(name: string, bytes: Uint8Array, regex: RegexEngine): GitleaksImport {
  const nothing = { policy: undefined, source: undefined, rules: 0, carried: 0, notCarried: [] };
  const { source, root, diagnostics } = readYaml(name, bytes);
  if (!root) return { ...nothing, source, diagnostics };
  const config = json(source.text);
  const misfit = config === undefined ? "file is not JSON" : fault(config);
  if (misfit !== undefined) return { ...nothing, source, diagnostics: [unusable(source, misfit)] };
  const hooks = (config as { hooks?: OptaHook[] }).hooks ?? [];
  const carrier = new Carrier(root, regex);
  const rules = hooks.flatMap((hook, i) => carrier.rule(hook, i));
  carrier.settings();
  const result = {
    source,
    rules: hooks.length,
    carried: rules.length,
    notCarried: [...carrier.notCarried].sort((a, b) => a.span.start - b.span.start),
  };
  if (rules.length === 0) {
    const problem = unusable(source, "no hook of the file can be carried over");
    return { ...result, policy: undefined, diagnostics: [problem] };
  }
  return { ...result, ...checked(policyText(name, rules, hooks.length), source, regex) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

/** Returns why a configuration is invalid, in words; undefined if it is valid. */
function fault(config: unknown): string | undefined {
  if (validateOptaConfig(config)) return undefined;
  const errors = validateOptaConfig.errors ?? [];
  const told = errors.find(({ keyword }) => keyword === "oneOf") ?? errors.at(-1);
  const what = told?.keyword === "oneOf" ? "must have either a `command` or a `prompt`" : told?.message;
  return `\`${told?.instancePath || "/"}\` ${what ?? "does not fit"}`;
}

function unusable(source: Source, message: string) {
  const help = "give a configuration of Opta whose `hooks` have an `event` and a `command`";
  return diagnostic("HW705", source, { start: 0, end: 0 }, message, help);
}

function policyText(name: string, rules: readonly string[], hooks: number): string {
  return [
    `${mark} from ${comment(name)}; the next import overwrites it.`,
    "version: 1",
    "policy: opta-hooks",
    "title: 'Hooks of Opta'",
    `description: ${scalar(`${rules.length} of ${hooks} hooks of \`${name}\`, imported from Opta.`)}`,
    "default: allow",
    "unknown: allow",
    "",
    "rules:",
    ...rules,
    "",
  ].join("\n");
}

const known: ReadonlySet<string> = new Set([
  "event",
  "command",
  "prompt",
  "matcher",
  "timeout",
  "on_timeout",
  "background",
  "protocol",
  "statusMessage",
]);

/** Carries hooks over and collects the omissions. */
class Carrier {
  readonly notCarried: NotCarried[] = [];
  readonly #root: YamlNode;
  readonly #regex: RegexEngine;

  constructor(root: YamlNode, regex: RegexEngine) {
    this.#root = root;
    this.#regex = regex;
  }

  /** Returns the text of the rule of one hook; none if the hook is left out. */
  rule(hook: OptaHook, i: number): string[] {
    const id = `${hook.event.replace(".", "-")}-${i + 1}`;
    const guards = hook.event === "tool.pre" || hook.event === "prompt.pre" || hook.event === "stop";
    const effect: Effect = guards && !hook.background ? "guards_less" : "none";
    const leave = (field: string, reason: string, what = effect): string[] => {
      this.notCarried.push({ rule: id, field, span: this.#span(i, field), reason, effect: what });
      return [];
    };
    for (const field of Object.keys(hook))
      if (!known.has(field)) leave(field, "not a field that this import knows", "none");
    if (hook.command === undefined) return leave("prompt", "no rule asks a judge of the host; the hook is left out");
    if (hook.protocol === "json")
      return leave("protocol", "a program of a rule reads another document on standard input; the hook is left out");
    if (hook.on_timeout === "cancel")
      leave("on_timeout", "a program of a rule with the protocol of Opta never blocks by taking too long");
    const matcher = hook.event.startsWith("tool.") ? hook.matcher : undefined;
    const compiled = matcher === undefined ? undefined : this.#regex.compile(matcher);
    if (compiled && "kind" in compiled) return leave("matcher", `refused: ${compiled.message}; the hook is left out`);
    if (hook.matcher !== undefined && matcher === undefined)
      leave("matcher", "Opta looks at it before and after tools alone", "none");
    return [ruleText(id, hook, compiled)];
  }

  /** Notes settings of the file that do not concern hooks. */
  settings(): void {
    if (this.#root.kind !== "map") return;
    for (const { key, keySpan } of this.#root.entries)
      if (key !== "hooks")
        this.notCarried.push({
          field: key,
          span: keySpan,
          reason:
            key === "passEnv" ? "programs of rules get the usual variables alone" : "a setting that is not about hooks",
          effect: "none",
        });
  }

  /** Returns the place of a field of a hook; else of the hook. */
  #span(i: number, field: string): Span {
    const hooks = child(this.#root, "hooks");
    const node = hooks?.kind === "list" ? hooks.items[i] : undefined;
    const entry = node?.kind === "map" ? node.entries.find(({ key }) => key === field) : undefined;
    return entry?.keySpan ?? node?.span ?? this.#root.span;
  }
}

function ruleText(id: string, hook: OptaHook, matcher: Regex | undefined): string {
  const { event, command = "", timeout, background, statusMessage } = hook;
  return [
    `  - id: ${id}`,
    `    title: ${scalar(`Hook at ${event}: ${comment(command).slice(0, 60)}`)}`,
    "    severity: info",
    `    event: ${canonicalEvent(event) ?? event}`,
    ...(matcher === undefined ? [] : matcherLines(matcher)),
    "    action:",
    "      run:",
    `        command: [sh, -c, ${scalar(command)}]`,
    "        protocol: { exit_code: opta }",
    `        timeout: ${Math.ceil(timeout ?? 10_000)}ms`,
    ...(background ? ["        background: true"] : []),
    ...(statusMessage === undefined ? [] : [`        status_message: ${scalar(statusMessage)}`]),
  ].join("\n");
}

/** Returns a matcher of the host's own name; names of Opta also match their tools under the names of other hosts. */
function matcherLines(matcher: Regex): string[] {
  const tools = Object.entries(hosts.opta.tools);
  const named = tools.filter(([, names]) => (names as readonly string[]).some((name) => matcher.test(name)));
  const own = `{ tool.host_name: { matches: ${scalar(matcher.pattern)} } }`;
  if (named.length === 0) return [`    when: ${own}`];
  const canonical = named.map(([tool]) => tool).join(", ");
  return ["    when:", "      any:", `        - ${own}`, `        - { tool.name: { in: [${canonical}] } }`];
}
