import { child, entry, text, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { type EventName, eventKind } from "../../schema/events.ts";
import { hosts } from "../../schema/hosts.ts";
import type { Regex, RegexEngine } from "../../schema/ports.ts";
import { canonicalTool, canonicalTools } from "../../schema/tools.ts";
import { any, literal } from "./cel-text.ts";
import type { Effect } from "./gitleaks.ts";
import type { Report } from "./imported.ts";
import { scalarOf } from "./json-file.ts";
import { scalar } from "./redact-policy.ts";
import type { ImportedRule } from "./rule-policy.ts";

/** Events of Claude Code at which a rule can run a program, by our names. */
const eventsOf: Readonly<Record<string, EventName>> = {
  PreToolUse: "tool_call",
  PostToolUse: "tool_result",
  UserPromptSubmit: "input",
  Stop: "stop",
  SubagentStop: "subagent_stop",
  SubagentStart: "subagent_start",
  SessionStart: "session_start",
  SessionEnd: "session_shutdown",
  PreCompact: "session_before_compact",
  PostCompact: "session_compact",
};

const known: ReadonlySet<string> = new Set(["type", "command", "timeout", "async", "statusMessage"]);

/** Claude Code's default time limit of a hook, in seconds. */
const standardTimeout = 600;

/** Converts the hooks of one settings file to rules that run their programs. Source: hosts page, Claude Code. */
export function hookRules(source: Source, hooks: YamlNode, report: Report, regex: RegexEngine) {
  const reader = new HookReader(source, report, regex);
  const rules: ImportedRule[] = [];
  if (hooks.kind !== "map") {
    report.leave(source, hooks.span, undefined, "hooks", "not an object", "guards_less");
    return { rules, count: 0 };
  }
  for (const { key, keySpan, value } of hooks.entries) {
    const groups = value.kind === "list" ? value.items : [];
    const event = Object.hasOwn(eventsOf, key) ? eventsOf[key] : undefined;
    if (!event) report.leave(source, keySpan, undefined, key, "no event of ours; its hooks are left out", "none");
    for (const group of groups) rules.push(...reader.group(key, event, group));
  }
  return { rules, count: reader.count };
}

/** Reads groups of hooks. */
class HookReader {
  /** Number of hooks so far. */
  count = 0;
  /** Number of hooks so far by event, over all of its groups. */
  readonly #numbers = new Map<string, number>();
  readonly #source: Source;
  readonly #report: Report;
  readonly #regex: RegexEngine;

  constructor(source: Source, report: Report, regex: RegexEngine) {
    this.#source = source;
    this.#report = report;
    this.#regex = regex;
  }

  group(name: string, event: EventName | undefined, group: YamlNode): readonly ImportedRule[] {
    const list = child(group, "hooks");
    const hooks = list?.kind === "list" ? list.items : [];
    const before = this.#numbers.get(name) ?? 0;
    this.#numbers.set(name, before + hooks.length);
    this.count += hooks.length;
    if (!event) return [];
    const given = entry(group, "matcher");
    const matcher = this.#matcher(name, event, given ? (text(given.value) ?? "") : "", given?.keySpan ?? group.span);
    if (matcher === undefined) return [];
    return hooks.flatMap((hook, i) => this.#hook(`${name} ${before + i + 1}`, event, matcher, hook));
  }

  #leave(span: Span, rule: string, field: string, reason: string, effect: Effect): void {
    this.#report.leave(this.#source, span, rule, field, reason, effect);
  }

  /** Returns the tools and the condition of a matcher; undefined if it cannot be carried over. */
  #matcher(
    name: string,
    event: EventName,
    given: string,
    span: Span,
  ): Pick<ImportedRule, "tools" | "when"> | undefined {
    if (given === "" || given === "*") return { tools: [] };
    if (event !== "tool_call" && event !== "tool_result") {
      this.#leave(span, name, "matcher", "the rule runs for every such event", "guards_more");
      return { tools: [] };
    }
    if (/^[\w|]+$/.test(given)) return { tools: [...new Set(given.split("|").map(canonicalTool))] };
    const regex = this.#regex.compile(`^(?:${given})$`);
    if ("kind" in regex) {
      this.#leave(span, name, "matcher", `refused: ${regex.message}; its hooks are left out`, lessBy(event));
      return undefined;
    }
    return { tools: [], when: matcherTest(regex) };
  }

  #hook(
    name: string,
    event: EventName,
    matcher: Pick<ImportedRule, "tools" | "when">,
    hook: YamlNode,
  ): readonly ImportedRule[] {
    const less = lessBy(event);
    const place = (field: string): Span => entry(hook, field)?.keySpan ?? hook.span;
    const command = text(child(hook, "command"));
    const type = scalarOf(child(hook, "type"));
    if (type !== "command" || command === undefined) {
      const what = type === "command" ? "it has no `command`" : `a hook of type \`${String(type)}\` is no program`;
      this.#leave(place("type"), name, "type", `${what}; it is left out`, less);
      return [];
    }
    if (hook.kind === "map")
      for (const { key, keySpan } of hook.entries)
        if (!known.has(key)) this.#leave(keySpan, name, key, "not a field that this import knows", "none");
    this.#leave(
      place("command"),
      name,
      "command",
      "it reads the event on standard input as hookwarden writes it (`tool`, `args`), not as Claude Code does",
      less,
    );
    const from = { source: this.#source, span: hook.span, rule: name, field: "hook" };
    const title = `Hook at ${name.split(" ")[0]}: ${command.slice(0, 60)}`;
    return [
      {
        name,
        title,
        severity: "info",
        events: [event],
        ...matcher,
        action: runAction(command, hook),
        match: [],
        noMatch: [],
        from,
        without: less,
      },
    ];
  }
}

function lessBy(event: EventName): Effect {
  return eventKind(event) === "decide" ? "guards_less" : "none";
}

function runAction(command: string, hook: YamlNode): string {
  const seconds = scalarOf(child(hook, "timeout"));
  const timeout = Math.ceil((typeof seconds === "number" && seconds > 0 ? seconds : standardTimeout) * 1000);
  const status = text(child(hook, "statusMessage"));
  // The host sets this variable; a rule's program runs in the folder it names.
  const project = command.includes("CLAUDE_PROJECT_DIR")
    ? 'CLAUDE_PROJECT_DIR="$PWD"; export CLAUDE_PROJECT_DIR; '
    : "";
  const fields = [
    `command: [sh, -c, ${scalar(`${project}${command}`)}]`,
    "protocol: { exit_code: claude }",
    `timeout: ${timeout}ms`,
    ...(scalarOf(child(hook, "async")) === true ? ["background: true"] : []),
    ...(status === undefined ? [] : [`status_message: ${scalar(status)}`]),
  ];
  return `{ run: { ${fields.join(", ")} } }`;
}

/** Returns a test of the host's own name of the tool; names of Claude Code also match their tools on other hosts. */
function matcherTest(regex: Regex): string {
  const own = `tool.host_name.matches(${literal(regex.pattern)})`;
  const names: Readonly<Record<string, readonly string[] | undefined>> = hosts["claude-code"].tools;
  const named = canonicalTools.filter((tool) => names[tool]?.some((name) => regex.test(name)));
  return named.length === 0 ? own : any([own, `tool.name in [${named.map(literal).join(", ")}]`]);
}
