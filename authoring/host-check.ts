import type { CompileResult } from "../compiler/compile.ts";
import { type Diagnostic, diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Source, Span } from "../diagnostics/source.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { Plan } from "../engine/plan.ts";
import { type EventName, eventKind } from "../schema/events.ts";
import {
  type AskedAction,
  canonicalHost,
  type Enforcement,
  enforceable,
  type HostName,
  hostNames,
  hosts,
  otherHostNames,
  ownActions,
} from "../schema/hosts.ts";

/** Returns the host of a name, or help for an unknown one. */
export function hostOf(name: string): HostName | { readonly help: string } {
  const canonical = canonicalHost(name);
  const known = hostNames.find((host) => host === canonical);
  return known ?? { help: didYouMean(name, [...hostNames, ...otherHostNames]) };
}

type PlanRule = Plan["rules"][number];

/** One action of a rule on one event, and the host's enforcement of it. */
interface Gap {
  readonly event: EventName;
  readonly action: string;
  readonly enforcement: Exclude<Enforcement, { level: "full" }>;
}

/**
 * Reports actions that hosts do not honour in full. For each rule and host there is one finding at the rule for actions not
 * honoured at all (HW607). Another one is for those honoured in a weaker form (HW608). Rules that are switched off or from
 * the built-in policy are skipped. Source: semantics section 1, "nothing is dropped in silence".
 */
export function checkHosts(result: CompileResult, names: readonly HostName[]): Diagnostic[] {
  const places = new Map(
    result.policies.flatMap(({ source, rules }) => rules.map(({ id, span }) => [id, { source, span }] as const)),
  );
  const rules = (result.plan?.rules ?? []).flatMap((rule) => {
    const place = places.get(rule.id);
    return place ? [{ rule, place }] : [];
  });
  return sortDiagnostics(names.flatMap((host) => rules.flatMap(({ rule, place }) => findings(host, rule, place))));
}

function findings(host: HostName, rule: PlanRule, { source, span }: { source: Source; span: Span }): Diagnostic[] {
  const gaps = gapsOf(host, rule);
  const missed = gaps.filter(({ enforcement }) => enforcement.level === "none");
  const weaker = gaps.filter(({ enforcement }) => enforcement.level === "weaker");
  const subject = `rule \`${rule.id}\``;
  const on = `${hosts[host].title} (\`${host}\`)`;
  return [
    ...(missed.length === 0
      ? []
      : [diagnostic("HW607", source, span, `${on} cannot enforce ${subject}: ${told(missed)}`, helpFor(host, missed))]),
    ...(weaker.length === 0
      ? []
      : [diagnostic("HW608", source, span, `${on} enforces ${subject} in a weaker form: ${told(weaker)}`, weakerHelp)]),
  ];
}

const weakerHelp = "accept it, or see `docs/reference/hosts.md` for a host that honours it in full";

/** Advice on alternatives for a rule. */
function helpFor(host: HostName, missed: readonly Gap[]): string {
  const results = missed.some(({ event, action }) => event === "tool_result" && action !== "block");
  if (results) return "deny the call before it runs, put MCP servers behind `hookwarden mcp`, or use another host";
  const humans = missed.every(({ event }) => event === "user_bash" || event === "user_python");
  if (humans) return `nothing on ${hosts[host].title} sees what people type themselves; the agent's calls are judged`;
  return "use an event that the host delivers, or another host; `docs/reference/hosts.md` has them all";
}

/** Describes gaps: actions of one event with one reason together. */
function told(gaps: readonly Gap[]): string {
  const groups = new Map<string, string[]>();
  for (const { action, enforcement } of gaps) {
    const actions = groups.get(enforcement.reason) ?? [];
    if (!actions.includes(action)) actions.push(action);
    groups.set(enforcement.reason, actions);
  }
  return [...groups]
    .map(([reason, actions]) => `${actions.map((name) => `\`${name}\``).join(", ")}: ${reason}`)
    .join("; ");
}

function gapsOf(host: HostName, rule: PlanRule): Gap[] {
  return rule.events.flatMap((event) =>
    askedOf(rule, event).flatMap((action): Gap[] => {
      const enforcement = enforceable(host, event, action);
      return enforcement.level === "full" ? [] : [{ event, action, enforcement }];
    }),
  );
}

/** Actions that a rule requires of its host on an event. A rule that only watches needs the event alone. */
function askedOf({ actions, mode }: PlanRule, event: EventName): readonly AskedAction[] {
  if (mode === "monitor") return ["record"];
  return [...new Set(actions.flatMap((action) => asked(action, event)))];
}

function asked({ action, parameters }: PlanRule["actions"][number], event: EventName): AskedAction[] {
  const given = (name: string): unknown =>
    typeof parameters === "object" && parameters !== null && Object.hasOwn(parameters, name)
      ? (parameters as Readonly<Record<string, unknown>>)[name]
      : undefined;
  if (action === "inject") {
    const as = given("as");
    return [as === "append" ? "inject_append" : as === "system" ? "inject_system" : "inject_message"];
  }
  // A program in the foreground can refuse the event, so the host must allow a block.
  if (action === "run")
    return given("background") === true || eventKind(event) !== "decide" ? ["run"] : ["run", "block"];
  const hostActions: readonly AskedAction[] = ["block", "ask", "allow", "redact", "modify", "truncate", "drop"];
  return [...hostActions, ...ownActions].filter((name) => name === action);
}
