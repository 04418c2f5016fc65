import { newEnforcer, newModelFromString } from "casbin";
import type { Field, MixRule, Test } from "./mix.ts";
import type { Peer } from "./peer.ts";

/** Rules are lines of two tests each, joined by `and` or `or`; one matcher, parsed once, reads them all. */
const model = `
[request_definition]
r = tool, command, user
[policy_definition]
p = id, joined, op1, of1, text1, op2, of2, text2, eft
[policy_effect]
e = !some(where (p.eft == deny))
[matchers]
m = r.tool == "bash" && (p.joined == "and" ? \
test(p.op1, p.of1, p.text1, r.command, r.user) && test(p.op2, p.of2, p.text2, r.command, r.user) : \
test(p.op1, p.of1, p.text1, r.command, r.user) || test(p.op2, p.of2, p.text2, r.command, r.user))
`;

/** The synchronous enforcer, which is the faster one. */
export const casbin: Peer = {
  name: "casbin",
  package: "casbin",
  async load(rules) {
    const enforcer = await newEnforcer(newModelFromString(model));
    await enforcer.addFunction("test", holds);
    await enforcer.addPolicies(rules.map(line));
    return {
      for:
        ({ tool, command, user }) =>
        () =>
          enforcer.enforceSync(tool, command, user) ? "allow" : "block",
    };
  },
};

function line({ id, groups }: MixRule): string[] {
  const tests = groups.flat();
  const [first, second = { op: "always" } as const] = tests;
  if (!first || tests.length > 2) throw new Error(`${id} does not fit into a line`);
  const joined = groups.length === tests.length ? "and" : "or";
  return [id, joined, ...columns(first), ...columns(second), "deny"];
}

function columns(one: Test | { readonly op: "always" }): string[] {
  switch (one.op) {
    case "always":
      return [one.op, "", ""];
    case "in_order":
      return [one.op, one.of, one.parts.join(".*")];
    case "longer":
      return [one.op, one.of, String(one.length)];
    default:
      return [one.op, one.of, one.text];
  }
}

const patterns = new Map<string, RegExp>();

function holds(op: string, field: Field, text: string, command: string, user: string): boolean {
  const value = field === "command" ? command : user;
  switch (op) {
    case "contains":
      return value.includes(text);
    case "not_contains":
      return !value.includes(text);
    case "starts_with":
      return value.startsWith(text);
    case "ends_with":
      return value.endsWith(text);
    case "equals":
      return value === text;
    case "in_order": {
      const pattern = patterns.get(text) ?? new RegExp(text);
      patterns.set(text, pattern);
      return pattern.test(value);
    }
    case "longer":
      return value.length > Number(text);
    default:
      return true;
  }
}
