import { permissionHelp } from "../rules/tool-spellings.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Keys of other products' files, with where the same stands in a policy. A key that resembles one of ours gets that one. */
type Table = readonly (readonly [keys: string, help: string])[];

/** At the top of a policy. */
const documentKeys: Table = [
  ["permissions deny ask allow allowed_tools disallowed_tools allowedtools disallowedtools", "rules"],
  ["hooks on jobs steps", "hooks"],
  [
    "env",
    "`environment.variables` in a condition is what the event was given; a value of the policy's own stands under `parameters`",
  ],
  ["macro macros", "write them under `conditions`, and refer to one as `$name`"],
  ["list", "write them under `lists`, and refer to one as `$name`"],
  [
    "kind apiversion metadata spec",
    "a policy has no envelope: `version: 1`, `policy: name` and `rules:` stand at its top",
  ],
  ["package", "write `policy:`, its name"],
  ["detection logsource", "write `rules:`, and in each the tests under `when`"],
];

/** In a rule. */
const ruleKeys: Table = [
  [
    "permissiondecision decision_reason permissiondecisionreason hookspecificoutput",
    "write `action: block`, `ask` or `allow`, and `reason` beside it",
  ],
  [
    "expires until owner_until",
    "only an exception ends: `expires` stands in an item of `exceptions`, at the top of the policy",
  ],
  [
    "exceptions exception exempt exemptions ignore ignores allowlist whitelist",
    "write `unless` in the rule, or an item of `exceptions` at the top of the policy, which names the rule in `rules`",
  ],
  ["detection selection filter logsource", "write the tests under `when`, and what is let pass under `unless`"],
  ["after before", "write `sequence: { after: [{ … }], within: { … } }`; the rule itself is about the last event"],
  ["within window", "it stands in `sequence` or in `budget`: `sequence: { after: [{ … }], within: { calls: 10 } }`"],
  ["limit max per threshold rate count quota", "write `budget: { limit: 20, per: session }`"],
  ["level", "write `severity`"],
  ["desc", "write `description`"],
  ["output", "write `reason`"],
  ["languages language lang", "leave it out: `tool`, `event` and `when` say what the rule is about"],
  [
    "pattern patterns pattern-either pattern-regex pattern-not pattern-inside regex",
    "write a test under `when`: `{ args.command: { matches: … } }`, or one of the facts by `each`",
  ],
  [
    "uses with run steps",
    "rules of a pack come by `imports` at the top of the policy: `imports: [{ pack: …, with: { … } }]`",
  ],
  ["type", "leave it out: `action` says what the rule does"],
];

/** Returns help for a key that no rule has and that another product gives to one. */
export function otherRuleKey(key: string, value: YamlNode | undefined): string | undefined {
  if (key === "match" || key === "no_match")
    return value?.kind === "list" && value.items.every((item) => item.kind === "scalar")
      ? `examples stand together: \`examples: { ${key}: […] }\``
      : undefined;
  return helpIn(ruleKeys, key);
}

/** Returns help for a key at the top of a policy that another product has there. */
export function otherDocumentKey(key: string, value: YamlNode | undefined): string | undefined {
  const help = helpIn(documentKeys, key);
  if (help === "hooks") return "a policy has rules: write `event: tool_call` and `action` in an item of `rules`";
  if (help !== "rules") return help;
  const nested = value?.kind === "map" ? value.entries.find((entry) => entry.value.kind === "list") : undefined;
  const list = nested?.value ?? value;
  const first = list?.kind === "list" ? list.items[0] : undefined;
  const text = first?.kind === "scalar" && typeof first.value === "string" ? first.value : "";
  const rule = permissionHelp(text);
  const verb = { deny: "block", ask: "ask", allow: "allow" }[(nested?.key ?? key).toLowerCase()] ?? "block";
  return `write an item of \`rules\` with \`action: ${verb}\`${rule === undefined ? "" : `; for \`${text}\` ${rule}`}`;
}

/** Returns help for an unknown key of a sequence: one that asks for what has not happened. */
export function otherSequenceKey(key: string): string | undefined {
  return /^(?:not_?after|not|none|no|without|unless|absent|never|missing)$/i.test(key)
    ? "a sequence says what has happened; for what has not, set a label where it happens, `action: { label: { add: [done] } }`, and write `unless: { session.labels: { contains: done } }`"
    : undefined;
}

function helpIn(table: Table, key: string): string | undefined {
  return table.find(([keys]) => keys.split(" ").includes(key.toLowerCase()))?.[1];
}
