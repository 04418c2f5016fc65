import type { RegexEngine } from "../schema/ports.ts";
import { selfProtection } from "./builtin.generated.ts";
import { type CheckedResult, checkPolicy } from "./check-policy.ts";
import type { PolicyFile } from "./policy-draft.ts";
import { standInFile, standInName } from "./policy-name.ts";
import { type ResolvedPolicy, resolvePolicies } from "./resolve.ts";

/** The policy that every plan has above all others (semantics section 3, "Scopes"): hookwarden protects itself. */
export const builtinFile: PolicyFile = {
  name: "builtin:self-protection",
  path: "builtin:self-protection",
  bytes: new TextEncoder().encode(selfProtection),
  scope: "builtin",
};

let resolved: ResolvedPolicy | undefined;

/** The built-in policy, read once. It has no parameter and no import, so that nothing from outside reaches it. */
export function builtinPolicy(): ResolvedPolicy {
  if (resolved) return resolved;
  const { policies } = resolvePolicies({ files: [builtinFile] });
  const [only] = policies;
  if (!only) throw new Error("the built-in policy does not compile");
  resolved = only;
  return resolved;
}

/** The typed built-in policy, by regex engine; it does not depend on other policies. */
const typed = new Map<string, CheckedResult>();

/** The built-in policy, typed once for each regex engine. */
export function checkedBuiltin(regex: RegexEngine): CheckedResult {
  const key = `${regex.name}@${regex.version}`;
  const known = typed.get(key) ?? checkPolicy(builtinPolicy(), [builtinPolicy()], regex);
  typed.set(key, known);
  return known;
}

/**
 * Makes the policy that replaces a project's policy that does not load. A human is asked about possible side effects, with
 * the reason, and reading is allowed (semantics section 3, "Scopes"). A repository comes from anyone, so that its policy must
 * neither stop its user's work nor switch itself off by being broken.
 */
export function standIn(reason: string): PolicyFile {
  const text = `version: 1
policy: ${standInName}
title: The project's policy does not load
default: allow
unknown: ask
rules:
  - id: side-effects
    title: Side effects while the project's policy does not load
    event: [tool_call, user_bash]
    when: |
      !(tool.name in ["read", "list", "glob", "grep"]) &&
      !(tool.name == "bash" && shell.commands.all(c, c.certain && c.program in ${JSON.stringify(readers)}) &&
        effects.writes.size() + effects.deletes.size() + effects.network.size() + effects.runs.size() +
        effects.installs.size() + effects.pushes.size() + effects.config.size() + effects.kills.size() == 0)
    action: ask
    reason: ${JSON.stringify(reason.slice(0, 2000).replaceAll("{", "{{").replaceAll("}", "}}"))}
    guidance: Mend the policy, or ask a human to run \`hookwarden check .hookwarden\`.
`;
  const bytes = new TextEncoder().encode(text);
  return { name: standInFile, path: standInFile, bytes, scope: "project" };
}

/** Programs that only read, where nothing they are given writes. */
const readers = ["ls", "cat", "head", "tail", "wc", "grep", "rg", "find", "pwd", "stat", "file", "du", "tree"];
