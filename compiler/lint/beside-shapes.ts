import { isWhole, type Shape, type WrongShape } from "./wrong-shape.ts";

/** Finds words for the place of an agent, which its depth has; its type is the host's name of what it is for. */
function agentType(text: string, operator: string): WrongShape | undefined {
  if (!isWhole(operator)) return undefined;
  if (/^(?:main|primary|root|top)$/i.test(text))
    return { why: "the main agent has no type", help: "write `agent.depth: 0` for the main agent" };
  const isPlace = /^(?:sub[-_ ]?agents?|child|children|nested|worker[-_ ]?agents?)$/i.test(text);
  return isPlace
    ? {
        why: "it is the host's name for what the agent does",
        help: "write `agent.depth: { gt: 0 }` for every sub-agent",
      }
    : undefined;
}

/** Texts that belong to the field beside the one that is tested. */
export const besideShapes: Readonly<Record<string, Shape>> = {
  "agent.type": agentType,
  "agent.id": (text, operator) =>
    isWhole(operator) && /^[a-z]{3,}(?:[-_ ][a-z]{3,})*$/i.test(text) && !/^(?:main|root)$/i.test(text)
      ? {
          why: "a host gives each agent an id of its own, such as a number",
          help: `write \`agent.type: ${text}\` for agents of this kind`,
          seen: "in part",
        }
      : undefined,
  "install.source": (text) =>
    /^@[\w.-]+(?:\/|$)/.test(text)
      ? {
          why: "a scope is a part of the name",
          help: `test the name: \`{ starts_with: "${text.replace(/\/.*$/s, "")}/" }\``,
        }
      : undefined,
  "secret.where": (text, operator) =>
    /^(?:secrets|pii)\//.test(text) && (isWhole(operator) || operator === "glob" || operator === "starts_with")
      ? { why: "that is a detector, and no place in the event", help: "write `detector` in place of `where`" }
      : isWhole(operator) && /^(?:content|new_text|old_text|prompt|query|url|path|body|headers|arguments?)$/.test(text)
        ? { why: "a place begins with its part of the event", help: `write \`args.${text}\`` }
        : undefined,
  "push.remote": (text, operator) =>
    isWhole(operator) && /^(?:main|master|develop|trunk|HEAD)$/.test(text)
      ? {
          why: `\`${text}\` is a branch, and a remote has another name`,
          help: `write \`target.branch: ${text}\``,
          seen: "in part",
        }
      : undefined,
};
