import {
  preparsePolicySet,
  type StatefulAuthorizationCall,
  statefulIsAuthorized,
} from "@cedar-policy/cedar-wasm/nodejs";
import type { MixEvent, MixRule, Test } from "./mix.ts";
import type { Peer } from "./peer.ts";

let loaded = 0;

/** One `forbid` per rule beside one `permit`, parsed beforehand, a pattern is a `like`. */
export const cedar: Peer = {
  name: "cedar-wasm, preparsed",
  package: "@cedar-policy/cedar-wasm",
  load(rules) {
    const id = `mix-${loaded++}`;
    const forbidden = rules.map((rule) => [rule.id, forbid(rule)]);
    const staticPolicies = Object.fromEntries([["permitted", "permit(principal, action, resource);"], ...forbidden]);
    const answer = preparsePolicySet(id, { staticPolicies });
    if (answer.type === "failure") throw new Error(answer.errors.map(({ message }) => message).join("\n"));
    return {
      for(event) {
        const request = call(event, id);
        return () => {
          const given = statefulIsAuthorized(request);
          if (given.type === "failure") throw new Error(given.errors.map(({ message }) => message).join("\n"));
          return given.response.decision === "allow" ? "allow" : "block";
        };
      },
    };
  },
};

function call({ tool, command, user }: MixEvent, preparsedPolicySetId: string): StatefulAuthorizationCall {
  return {
    principal: { type: "Agent", id: "agent" },
    action: { type: "Action", id: tool },
    resource: { type: "Machine", id: "machine" },
    // Cedar has no length of texts, so that it is told.
    context: { command, user, command_length: command.length, user_length: user.length },
    preparsedPolicySetId,
    entities: [],
  };
}

function forbid(rule: MixRule): string {
  const all = rule.groups.map((group) => `(${group.map(condition).join(" || ")})`).join(" && ");
  return `forbid(principal, action == Action::"bash", resource) when { ${all} };`;
}

function condition(one: Test): string {
  const of = `context.${one.of}`;
  switch (one.op) {
    case "contains":
      return `${of} like "*${one.text}*"`;
    case "not_contains":
      return `!(${of} like "*${one.text}*")`;
    case "starts_with":
      return `${of} like "${one.text}*"`;
    case "ends_with":
      return `${of} like "*${one.text}"`;
    case "equals":
      return `${of} == "${one.text}"`;
    case "in_order":
      return `${of} like "*${one.parts.join("*")}*"`;
    case "longer":
      return `${of}_length > ${one.length}`;
  }
}
