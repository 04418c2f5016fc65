import type { Environment } from "../../rules/environment.ts";
import type { Type } from "../../rules/types.ts";
import type { Claim } from "./claims.ts";
import type { LintedPolicy, LintedRule } from "./policy.ts";
import { typeOf } from "./typing.ts";
import type { WrongShape } from "./wrong-shape.ts";

interface Place {
  readonly policy: LintedPolicy;
  readonly rule: LintedRule | undefined;
}

/** Signs of the comparisons that an author writes as a test. */
const signs: Readonly<Record<string, string>> = { equals: "==", lt: "<", le: "<=", gt: ">", ge: ">=" };

/** Operators that look for a part. In a free text the part may be source code that reads like a field. */
const parts: ReadonlySet<string> = new Set(["starts_with", "ends_with", "contains", "glob", "within"]);

/** Fields whose values hold no source code. */
const short = /^(?:path|url|push_target|environment|install|tool|kill|config_change|command\.(?:program|cwd))\b/;

/** Returns the fault of a text that is the path of a field of the rule: a value of YAML is a text and no field. */
export function factAsText(claim: Claim, text: string, place: Place): WrongShape | undefined {
  const { operator, field, path, negated } = claim;
  const isWhole = operator === "in" || Object.hasOwn(signs, operator);
  if (!isWhole && !(parts.has(operator) && short.test(field ?? ""))) return undefined;
  if (!isField(text, place) || mayBeName(field ?? path, text, place)) return undefined;
  const sign = negated && operator === "equals" ? "!=" : (signs[operator] ?? "==");
  const calls: Readonly<Record<string, string>> = {
    starts_with: "startsWith",
    ends_with: "endsWith",
    contains: "contains",
    within: "within",
  };
  const call = calls[operator];
  const written = path.includes("…") ? "…" : path;
  const compared = call === undefined ? `${written} ${sign} ${text}` : `${written}.${call}(${text})`;
  const asked = [written, text].flatMap((one) => absentIn(one, place)).map((one) => `has(${one}) && `);
  return {
    why: `the words \`${text}\` are compared, and no value of that field`,
    help: `compare two fields in an expression: \`when: '${asked.join("")}${compared}'\`, or \`expr: '…'\` beside other tests`,
    seen: "in part",
  };
}

/** True where a value of the field may look so: a setting has dots, a host ends in `.id`, and a file in `.text`. */
function mayBeName(field: string, text: string, { rule }: Place): boolean {
  // `where` has the places of a payload, which are called like its fields.
  if (field.endsWith(".where")) return true;
  // Names of attributes of other systems look alike: `session.id`, `agent.type`.
  if (field.startsWith("args.") && !/^(?:environment|args|effects)\./.test(text)) return true;
  if (rule?.typed?.each?.name === text.split(".")[0]) return false;
  if (field === "config_change.target") return !text.startsWith("environment.");
  return /\b(?:url|path|install|run|kill)\b/.test(field) && /^\w+\.(?:id|name|text|code|role|type)$/.test(text);
}

/** Types of a rule's names: those of its events, and the element of its `each`. */
export function typesOfRule(rule: LintedRule): (name: string) => Type | undefined {
  const { each } = rule.typed ?? {};
  const list = each && typeOf(each.list, rule.environment, new Map());
  return (name) =>
    name === each?.name ? (list?.kind === "list" ? list.element : undefined) : typeIn(rule.environment, name);
}

function typeIn({ variables }: Environment, name: string): Type | undefined {
  return variables.get(name)?.type;
}

/** True for a path of fields that all exist, with at least one dot. */
export function isField(text: string, place: Place): boolean {
  return fieldsOf(text, place) !== undefined;
}

/** The parts of a path that may be absent, each with what stands before it. */
function absentIn(text: string, place: Place): readonly string[] {
  return (fieldsOf(text, place) ?? []).filter(({ required }) => !required).map(({ path }) => path);
}

/** Goes along a path of fields; undefined where one does not exist. */
function fieldsOf(text: string, { policy, rule }: Place): readonly { path: string; required: boolean }[] | undefined {
  if (!/^[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){1,6}$/.test(text)) return undefined;
  const [root = "", ...names] = text.split(".");
  const outside = policy.environmentOf({ events: ["tool_call"], tools: [] });
  let type = rule ? typesOfRule(rule)(root) : typeIn(outside, root);
  const fields: { path: string; required: boolean }[] = [];
  for (const [i, name] of names.entries()) {
    const path = [root, ...names.slice(0, i + 1)].join(".");
    // Arguments of a server's tool have any name.
    if (type?.kind === "dyn" && root === "args" && names.length === 1) return [{ path, required: false }];
    const field = type?.kind === "record" ? type.fields().get(name) : undefined;
    if (!field) return undefined;
    fields.push({ path, required: field.required });
    type = field.type;
  }
  // No text is compared with a list.
  if (type && ["list", "map"].includes(type.kind)) return undefined;
  return fields;
}
