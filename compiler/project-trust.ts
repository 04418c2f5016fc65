import type { Code } from "../diagnostics/codes.ts";
import type { Span } from "../diagnostics/source.ts";
import type { Json, PlanAction, PlanPolicy, Template } from "../engine/plan.ts";
import type { EventName } from "../schema/events.ts";
import { limits } from "../schema/limits.ts";
import { untrustedParameters, untrustedStanding, untrustedToken } from "../schema/untrusted-policies.ts";
import type { ActionDraft, PolicyDraft, RuleDraft } from "./policy-draft.ts";
import { entry, type YamlNode } from "./yaml-node.ts";

type Report = (code: Code, span: Span, message: string, help: string) => void;

/**
 * Returns the actions that a rule keeps in a project's policy that no human has trusted (`schema/untrusted-policies.ts`).
 * Such a policy comes with the repository, hence from anyone. Each action without effect is a finding that names the rule.
 */
export function withoutTrust(draft: RuleDraft, actions: readonly PlanAction[], report: Report): PlanAction[] {
  for (const action of draft.actions) reportAction(draft, action, report);
  const acts = ({ action }: PlanAction): boolean => draft.events.some((e) => untrustedStanding(action, e) !== "none");
  return actions.filter((action) => acts(action) && !isOnPath(action)).map(strictly);
}

/** Counts the actions of rules that do nothing, or only ask, until a human trusts the project's policy. */
export function waitingActions(rules: readonly RuleDraft[]): number {
  const standings = rules.flatMap(({ events, actions }) =>
    actions.map(({ name }) => events.map((event) => untrustedStanding(name, event))),
  );
  return standings.filter((each) => each.some((standing) => standing === "none" || standing === "asks")).length;
}

function reportAction({ id, events }: RuleDraft, { name, span, parameters }: ActionDraft, report: Report): void {
  const standings = new Map(events.map((event) => [event, untrustedStanding(name, event)] as const));
  const none = events.filter((event) => standings.get(event) === "none");
  const asks = events.filter((event) => standings.get(event) === "asks");
  const on = (list: readonly EventName[]): string =>
    list.length < events.length ? ` on ${list.map((event) => `\`${event}\``).join(", ")}` : "";
  if (none.length > 0) report("HW606", span, `\`${name}\` of rule \`${id}\` has no effect${on(none)} ${until}`, help);
  if (none.length === events.length) return;
  if (asks.length > 0)
    report("HW606", span, `\`${name}\` of rule \`${id}\` asks and rewrites nothing${on(asks)} ${until}`, help);
  for (const { key, keySpan, value } of parameters?.entries ?? []) {
    const why = untrustedParameters[name]?.[key];
    const usual = name === "label" && value.kind === "scalar" && value.value === "session";
    if (why !== undefined && !usual) report("HW606", keySpan, `\`${key}\` of rule \`${id}\` ${inert}: ${why}`, help);
    if (name === "redact" && key === "patterns") reportReplacements(id, value, report);
  }
}

function reportReplacements(id: string, patterns: YamlNode, report: Report): void {
  for (const pattern of patterns.kind === "list" ? patterns.items : []) {
    const own = entry(pattern, "replacement");
    if (own)
      report(
        "HW606",
        own.keySpan,
        `\`replacement\` of rule \`${id}\` ${inert}: \`${untrustedToken}\` stands there`,
        help,
      );
  }
}

/** Returns a text of such a policy for the model and the human: with its origin, on one line, and no longer than a value may be. */
export function textWithoutTrust(text: Template): Template {
  let left: number = limits.interpolated;
  const parts = text.map((part) => {
    if (typeof part !== "string") return part;
    const line = part.replace(oddCharacters, " ").slice(0, left);
    left -= line.length;
    return line;
  });
  return ["a policy of this project, which nobody has trusted, says: ", ...parts];
}

/** Line breaks, controls, and invisible or reordering characters: they could break the line that names the text's source. */
const oddCharacters = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * Returns the audit settings of a project's policy that no human has trusted. Of several policies the one that keeps least
 * decides, and a repository must not remove from records what others want to read later: `digests` becomes `views`.
 */
export function auditWithoutTrust(audit: PlanPolicy["audit"]): PlanPolicy["audit"] {
  return audit.keep === "digests" ? { ...audit, keep: "views" } : audit;
}

/** Reports what a project's policy says about records that has no effect before a human trusts it. */
export function reportAuditWithoutTrust({ audit, keepSpan, span }: PolicyDraft, report: Report): void {
  if (audit.keep === "digests") report("HW606", keepSpan ?? span, `\`keep: digests\` ${inert}`, help);
}

const until = "before a human trusts the project's policy";
const inert = `has no effect ${until}`;
const help = "look at the policy, then run `hookwarden trust` on it";

function isOnPath({ action, parameters }: PlanAction): boolean {
  return action === "label" && (parameters as { readonly on?: Json } | null)?.on === "path";
}

function strictly(action: PlanAction): PlanAction {
  const dropped = untrustedParameters[action.action] ?? {};
  const given = action.parameters;
  const own = action.templates && {
    templates: Object.fromEntries(
      Object.entries(action.templates).map(([name, text]) => [
        name,
        action.action === "record" ? text : textWithoutTrust(text),
      ]),
    ),
  };
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { ...action, ...own };
  const kept = Object.entries(given as Readonly<Record<string, Json>>)
    .filter(([key]) => !Object.hasOwn(dropped, key))
    .map(([key, value]) => [key, key === "patterns" ? withTokens(value) : value]);
  return { ...action, parameters: Object.fromEntries(kept), ...own };
}

/** Returns the patterns with the fixed replacement of untrusted policies. */
function withTokens(patterns: Json): Json {
  if (!Array.isArray(patterns)) return patterns;
  return patterns.map((pattern) => ({ ...pattern, replacement: untrustedToken }));
}
