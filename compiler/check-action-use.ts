import { didYouMean } from "../diagnostics/suggest.ts";
import { forbiddenKeys, modifiableFields } from "../rules/actions/modify.ts";
import { argumentMisfit, argumentNames, canonicalTool, toolArguments } from "../schema/tools.ts";
import type { ActionCheck } from "./action-check.ts";
import { negativeTaintTests } from "./check-taints.ts";
import type { ActionDraft, RuleDraft } from "./policy-draft.ts";
import { child, strings, text, toValue, type YamlEntry, type YamlNode } from "./yaml-node.ts";

/** Checks an action's demands on its rule beside its parameters: fields that its events and tools have, and its scope. */
export function checkActionUse(draft: RuleDraft, action: ActionDraft, check: ActionCheck): void {
  if (action.name === "modify") checkModify(draft, action, check);
  if (action.name === "inject") checkInject(draft, action, check);
  if (action.name === "allow") checkAllow(draft, action, check);
  if (action.name === "run") checkRun(draft, action, check);
}

/** Reports a program that no event starts: beside a block, or with a name that no file has. */
function checkRun({ actions }: RuleDraft, { span, parameters }: ActionDraft, check: ActionCheck): void {
  if (actions.some(({ name }) => name === "block"))
    check.report(
      "HW414",
      span,
      "`run` never starts beside `block`: a call that is blocked needs no program's answer",
      "let the program decide without `block`, or use `notify` with `when_blocked: true`",
    );
  const [program] = parameters ? strings(child(parameters, "command")) : [];
  const fault = program && unstartable(program.value);
  if (fault)
    check.report("HW414", program.node.span, `no program is called \`${program.value}\`: ${fault[0]}`, fault[1]);
  const digest = parameters && child(parameters, "digest");
  const given = digest && text(digest);
  if (digest && given !== undefined && !/^sha256:[0-9a-f]{64}$/i.test(given))
    check.report("HW414", digest.span, "no file has this digest", "write `sha256:` and 64 hexadecimal digits");
}

/** Returns why a command's first word names no program, and what to write instead. No shell reads it, so it must be one name or path. */
function unstartable(name: string): readonly [why: string, help: string] | undefined {
  if (name.startsWith("~")) return ["nothing puts in the home folder for `~`", "write the absolute path"];
  if (/\$[A-Za-z_{(]|`/.test(name)) return ["no shell puts in variables", "write the name or the absolute path"];
  if (/[\\/]$/.test(name)) return ["it is a folder", "write the path of the file"];
  if (!/[\\/]/.test(name) && /\s/.test(name)) {
    const words = name.trim().split(/\s+/);
    return ["no shell splits it into words", `write \`command: [${words.join(", ")}]\``];
  }
  return undefined;
}

/** `append` and `system` have a place in one event each; elsewhere the text would be lost. */
const placeOf: Readonly<Record<string, string>> = { append: "tool_result", system: "before_agent_start" };

function checkInject(draft: RuleDraft, { parameters }: ActionDraft, check: ActionCheck): void {
  const node = parameters && child(parameters, "as");
  const as = node && text(node);
  const place = as !== undefined && Object.hasOwn(placeOf, as) ? placeOf[as] : undefined;
  if (!node || place === undefined) return;
  for (const event of draft.events.filter((name) => name !== place))
    check.report("HW402", node.span, `\`as: ${as}\` is not possible on \`${event}\``, `it is possible on \`${place}\``);
}

function checkAllow({ when, unless }: RuleDraft, { parameters }: ActionDraft, check: ActionCheck): void {
  for (const { span, name } of [
    ...(when ? negativeTaintTests(when, check.taints, false) : []),
    ...(unless ? negativeTaintTests(unless, check.taints, true) : []),
  ])
    check.report(
      "HW311",
      span,
      name === undefined
        ? "an `allow` can only ask whether labels are there"
        : `an \`allow\` cannot rest on the absence of the taint \`${name}\``,
      "allow without it, and let a rule of its own ask or block where the session has the taint",
    );
  const node = parameters && child(parameters, "skip_host_prompt");
  if (node?.kind === "scalar" && node.value === true && check.scope === "project")
    check.report(
      "HW104",
      node.span,
      "`skip_host_prompt` does not work in a project policy",
      "let a user or managed policy answer the host's question; a repository must not",
    );
}

function checkModify(draft: RuleDraft, { parameters }: ActionDraft, check: ActionCheck): void {
  const set = parameters && child(parameters, "set");
  const unset = parameters && child(parameters, "unset");
  for (const entry of set?.kind === "map" ? set.entries : []) checkSet(draft, entry, check);
  for (const { value, node } of unset ? strings(unset) : []) checkUnset(draft, value, node, check);
}

function checkSet(draft: RuleDraft, { key, keySpan, value }: YamlEntry, check: ActionCheck): void {
  if (forbiddenKeys.has(key)) return;
  const fields = draft.events.flatMap((event) => modifiableFields[event] ?? []);
  const known = draft.events.includes("tool_call") ? argumentsOf(draft.tools) : [];
  if (known === undefined || fields.some((field) => field === key)) return;
  if (!known.some(({ names }) => names.includes(key))) {
    const names = [...new Set([...fields, ...known.map((argument) => argument.names[0] as string)])];
    check.report("HW302", keySpan, `nothing that the rule is about has \`${key}\``, didYouMean(key, names));
    return;
  }
  // A text may be a template, whose value is known only when it is judged.
  if (value.kind === "scalar" && typeof value.value === "string" && value.value.includes("{")) return;
  const given = toValue(value);
  const wanted = known.map(({ tool, names }) => (names.includes(key) ? argumentMisfit(tool, key, given) : undefined));
  const misfit = wanted.find((words) => words !== undefined);
  if (misfit !== undefined)
    check.report("HW102", value.span, `\`${key}\` must be ${misfit}`, "write a value of that type");
}

function checkUnset(draft: RuleDraft, key: string, node: YamlNode, check: ActionCheck): void {
  const known = draft.events.includes("tool_call") ? argumentsOf(draft.tools) : [];
  if (forbiddenKeys.has(key))
    check.report("HW104", node.span, `\`${key}\` cannot be taken out`, "choose the name of an argument");
  else if (known && !known.some(({ names }) => names.includes(key)))
    check.report(
      "HW302",
      node.span,
      `no call that the rule is about has \`${key}\``,
      didYouMean(
        key,
        known.map(({ names }) => names[0] as string),
      ),
    );
  else if (known?.some(({ names, required }) => required && names.includes(key)))
    check.report("HW104", node.span, `\`${key}\` cannot be taken out, the tool needs it`, "set it to another value");
}

/** Arguments that the rule's tools have; undefined where one of them is not known. */
function argumentsOf(
  tools: readonly string[],
): { readonly tool: string; readonly names: readonly string[]; readonly required: boolean }[] | undefined {
  if (tools.length === 0) return undefined;
  const shapes = tools.map((name) => ({ tool: canonicalTool(name), shape: toolArguments(canonicalTool(name)) }));
  if (shapes.some(({ shape }) => shape === undefined)) return undefined;
  return shapes.flatMap(({ tool, shape }) =>
    Object.entries(shape ?? {}).map(([name, { required }]) => ({
      tool,
      names: argumentNames(tool, name),
      required: required === true,
    })),
  );
}
