import type { Fix } from "../../diagnostics/diagnostic.ts";
import type { ActionDraft } from "../policy-draft.ts";
import { child, strings, toValue } from "../yaml-node.ts";
import { conjunctions } from "./conjunctions.ts";
import { askedIn, nodesIn } from "./label-uses.ts";
import type { Finding, LintContext } from "./lint.ts";
import { Overruling } from "./overruled.ts";
import type { LintedPolicy, LintedRule } from "./policy.ts";

/** Finds labels and notices of calls that another rule of the same policy blocks. */
export function blockedActions(context: LintContext): (Finding & { readonly policy: LintedPolicy })[] {
  return context.policies.flatMap((policy) => {
    const marking = policy.rules.filter((rule) => !rule.does("block") && rule.draft.actions.some(needsLetThrough));
    if (marking.length === 0 || !policy.rules.some((rule) => rule.does("block"))) return [];
    const overruling = new Overruling(policy, context);
    return marking.flatMap((rule) => {
      const over = rule.draft.events.every((event) => event === "tool_call") ? overruling.over(rule, 3) : undefined;
      if (!over) return [];
      const related = [{ message: "the rule that blocks", source: policy.source.name, span: over.draft.span }];
      return rule.draft.actions.filter(needsLetThrough).map((action) => {
        const what = action.name === "label" ? "a blocked call sets no label" : "nobody is told of a blocked call";
        const message = `\`${action.name}\` has no effect: \`${over.draft.id}\` blocks whenever this rule applies, and ${what}`;
        const help = `write \`${action.name}: { when_blocked: true, … }\``;
        const fix = whenBlocked(action, policy);
        return { policy, span: action.span, message, help, related, ...(fix && { fix }) };
      });
    });
  });
}

/** True for an action that happens only where the call is let through. */
function needsLetThrough({ name, parameters }: ActionDraft): boolean {
  if (name !== "label" && name !== "notify") return false;
  const node = child(parameters, "when_blocked");
  return node === undefined || toValue(node) === false;
}

/** Finds approvals that clear other labels than those that the rule needs, so that it asks again each time. */
export function idleClears({ draft, typed, policy }: LintedRule): readonly Finding[] {
  const { when } = typed ?? {};
  if (!when) return [];
  return draft.actions.flatMap(({ name, parameters }): Finding[] => {
    const node = name === "ask" ? child(parameters, "clears") : undefined;
    if (!node) return [];
    const cleared = strings(node).map(({ value }) => value);
    const nodes = nodesIn(when);
    if (cleared.length === 0 || nodes.some(({ k }) => k === "condition")) return [];
    const mentioned = nodes.flatMap((one) => (one.k === "const" ? [one.value].flat() : []));
    if (cleared.some((label) => mentioned.includes(label))) return [];
    const needed = (conjunctions(when)[0]?.terms ?? []).flatMap(askedIn).filter(({ of }) => of === "session");
    const names = [...new Set(needed.map((one) => one.name))].filter((label) => policy.draft.labels.has(label));
    if (names.length === 0) return [];
    const list = cleared.map((label) => `\`${label}\``).join(", ");
    return [
      {
        span: node.span,
        message: `an approval clears ${list}, which this rule does not ask for: it asks again each time`,
        help: `write \`clears: [${names.join(", ")}]\`, the labels that \`when\` asks for`,
      },
    ];
  });
}

/** Finds protocols of programs in the background: nobody reads their answers. Imports of other hosts' hooks keep theirs. */
export function idleInBackground({ draft }: LintedRule): readonly Finding[] {
  return draft.actions.flatMap(({ name, parameters }): Finding[] => {
    const background = name === "run" ? child(parameters, "background") : undefined;
    const protocol = child(parameters, "protocol");
    if (!background || toValue(background) !== true || protocol?.kind !== "scalar") return [];
    return [
      {
        span: protocol.span,
        message: "`protocol` has no effect beside `background: true`: the answer of the program changes nothing",
        help: "take `background` out if the program shall decide, or take `protocol` out",
      },
    ];
  });
}

/** Finds reasons of rules that only start programs in the background: nobody is refused anything. */
export function idleReason({ draft, node }: LintedRule): readonly Finding[] {
  const runs = draft.actions.flatMap(({ name, parameters }) =>
    name === "run" ? [child(parameters, "background")] : [],
  );
  const place = child(node, "reason");
  if (!place || runs.length === 0 || draft.actions.some(({ name }) => !quiet.has(name))) return [];
  if (runs.some((background) => !background || toValue(background) !== true)) return [];
  return [
    {
      span: place.span,
      message: "`reason` is shown to nobody: the program runs in the background, and its answer changes nothing",
      help: "take `background` out if the program shall decide, or write `description` in place of `reason`",
    },
  ];
}

/** Actions that refuse nothing. */
const quiet: ReadonlySet<string> = new Set(["run", "record", "label", "notify"]);

/** Finds replacements of `redact` that repeat the whole match. */
export function idleReplacements({ draft }: LintedRule): readonly Finding[] {
  const lists = draft.actions.flatMap(({ name, parameters }) =>
    name === "redact" ? [child(parameters, "patterns")] : [],
  );
  const patterns = lists.flatMap((list) => (list?.kind === "list" ? list.items : []));
  return patterns.flatMap((pattern): Finding[] => {
    if (pattern.kind !== "map") return [];
    const [regex, replacement] = [child(pattern, "regex"), child(pattern, "replacement")];
    if (regex?.kind !== "scalar" || replacement?.kind !== "scalar") return [];
    const kept = keptBy(String(replacement.value), String(regex.value));
    if (kept === undefined) return [];
    return [
      {
        span: replacement.span,
        message: `\`${kept}\` is the whole match: it stays in the text, and nothing is hidden`,
        help: "take it out; to keep a part, put that part into `(…)` and write its number, as in `{match[1]}`",
      },
    ];
  });
}

/** Returns the part of a replacement that repeats the whole match; undefined where a part of it is hidden. */
function keptBy(replacement: string, pattern: string): string | undefined {
  const isOneGroup = /^\((?!\?)(?:[^()\\]|\\.)*\)$/s.test(pattern);
  const kept = isOneGroup ? /\{match\[[01]\]\}/ : /\{match\[0\]\}/;
  return kept.exec(replacement)?.[0];
}

/** Finds changes that set an argument to the very value that `when` asks for. */
export function idleChanges({ draft, typed, claims }: LintedRule): readonly Finding[] {
  const { when } = typed ?? {};
  if (!when || draft.actions.every(({ name }) => name !== "modify")) return [];
  const needed = new Set(conjunctions(when)[0]?.terms);
  return draft.actions.flatMap(({ name, parameters }) => {
    const set = name === "modify" ? child(parameters, "set") : undefined;
    if (set?.kind !== "map") return [];
    return set.entries.flatMap(({ key, value }): Finding[] => {
      const now = value.kind === "scalar" ? value.value : undefined;
      const asks = claims.some(
        ({ call, path, operator, values }) =>
          needed.has(call) &&
          operator === "equals" &&
          path === `args.${key}` &&
          values?.length === 1 &&
          values[0] === now,
      );
      if (now === undefined || !asks) return [];
      return [
        {
          span: value.span,
          message: `this changes nothing: \`when\` asks for calls whose \`${key}\` is \`${String(now).slice(0, 60)}\` already`,
          help: "test in `when` for the value that shall not stay, or set another one",
        },
      ];
    });
  });
}

/** Finds keys of `set` that are no arguments: one with `args.` before it, and another part of `modify` one step too deep. */
export function misplacedKeys({ draft }: LintedRule): readonly Finding[] {
  return draft.actions.flatMap(({ name, parameters }) => {
    const set = name === "modify" ? child(parameters, "set") : undefined;
    return (set?.kind === "map" ? set.entries : []).flatMap(({ key, keySpan, value }): Finding[] => {
      const message = `this sets an argument that is called \`${key.slice(0, 60)}\``;
      const bare = /^(?:args|arguments|input|tool_input)\.(\w+)$/.exec(key)?.[1];
      if (bare !== undefined) return [{ span: keySpan, message, help: `write \`${bare}\`, the name of the argument` }];
      const isPart = (key === "unset" && value.kind === "list") || (key === "set" && value.kind === "map");
      return isPart ? [{ span: keySpan, message, help: `write \`${key}\` beside the outer \`set\`` }] : [];
    });
  });
}

/** Makes the fix that has the action happen where the call is blocked. */
export function whenBlocked({ name, parameters }: ActionDraft, policy: LintedPolicy): Fix | undefined {
  if (!parameters) return undefined;
  const [first] = parameters.entries;
  const given = parameters.entries.find(({ key }) => key === "when_blocked");
  const title = `have \`${name}\` happen where the call is blocked`;
  if (given) return { title, meaning: "stricter", edits: [{ span: given.value.span, text: "true" }] };
  if (!first) return undefined;
  const start = first.keySpan.start;
  const isFlow = policy.textAt(parameters.span).startsWith("{");
  const line = policy.source.text.lastIndexOf("\n", start - 1) + 1;
  const indent = policy.source.text.slice(line, start);
  if (!isFlow && !/^ *$/.test(indent)) return undefined;
  const text = isFlow ? "when_blocked: true, " : `when_blocked: true\n${indent}`;
  return { title, meaning: "stricter", edits: [{ span: { start, end: start }, text }] };
}
