import { type EventName, eventNames } from "../../schema/events.ts";
import { payloadShape } from "../../schema/payloads.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { child, strings, type YamlMap, type YamlNode } from "../yaml-node.ts";
import type { Finding } from "./lint.ts";
import type { LintedRule } from "./policy.ts";
import { everyLeftAlone, mostEntropy } from "./secret-samples.ts";

/** Finds values of `redact` that leave it nothing to replace: places without text, and bounds that every match is under. */
export function idleRedactions({ draft, typed }: LintedRule, regex: RegexEngine): readonly Finding[] {
  return draft.actions.flatMap(({ name, parameters }) => {
    if (name !== "redact" || !parameters) return [];
    const fields = strings(child(parameters, "fields")).flatMap(({ value, node: { span } }) => {
      const fault = typed ? fieldFault(value, typed.events as readonly EventName[]) : undefined;
      return fault ? [{ span, ...fault }] : [];
    });
    const list = child(parameters, "patterns");
    const patterns = list?.kind === "list" ? list.items : [];
    return [...fields, ...patterns.flatMap((item) => (item.kind === "map" ? ofPattern(item, regex) : []))];
  });
}

/** Places of an event's text, as `redact` names them; the first is what its readers see. */
function placesOf(event: EventName): readonly string[] {
  switch (event) {
    case "tool_call":
      return ["args"];
    case "tool_result":
      return ["content", "details", "structured"];
    case "input":
      return ["text", "images"];
    default: {
      const shape = Object.keys(payloadShape(event));
      return ["messages", "prompt", "system_prompt", "command", "code"].filter((name) => shape.includes(name));
    }
  }
}

/** Places that are lists: what lies in an item of them has its number. */
const lists: ReadonlySet<string> = new Set(["content", "messages", "images"]);

function fieldFault(given: string, events: readonly EventName[]): Omit<Finding, "span"> | undefined {
  const all = [...new Set((events.length > 0 ? events : eventNames).flatMap(placesOf))];
  if (all.length === 0) return undefined;
  const name = given.replace(/^(?:result\.|input\.(?=text))/, "");
  const [, root = "", rest = ""] = /^(\w+)(.*)$/s.exec(name) ?? [];
  const inList = lists.has(root) && rest.startsWith(".");
  if (all.includes(root) && !inList) return undefined;
  const why = inList ? `\`${root}\` is a list, and a part of it has its number` : "the event has no text there";
  const help = inList
    ? `write \`${root}\` for all of it, or \`${root}[0]${rest}\``
    : `write one of ${all.map((one) => `\`${one}\``).join(", ")}, or leave \`fields\` out for all text`;
  return { message: `\`fields\` of \`redact\` is never \`${given.slice(0, 80)}\`: ${why}`, help };
}

function ofPattern(item: YamlMap, regex: RegexEngine): readonly Finding[] {
  const given = (key: string): YamlNode | undefined => child(item, key);
  const scalar = (key: string): unknown => {
    const node = given(key);
    return node?.kind === "scalar" ? node.value : undefined;
  };
  const pattern = scalar("regex");
  if (typeof pattern !== "string" || pattern.length > 1_000) return [];
  const between = given("regex") && /^\/.+\/[gimsuy]{0,6}$/s.test(pattern) && !/^\/[^/]*\/[^/]*\/$/.test(pattern);
  if (between) {
    const message = "the slashes and the flags behind them belong to the pattern here";
    const [, body = "", flags = ""] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
    const kept = flags.replace(/[^ims]/g, "");
    const bare = `${kept === "" ? "" : `(?${kept})`}${body}`;
    return [{ span: (given("regex") as YamlNode).span, message, help: `write \`'${bare.slice(0, 100)}'\`` }];
  }
  const secret = scalar("secret");
  const group = typeof secret === "number" ? secret : 0;
  const found: Finding[] = [];
  const [least, node] = [scalar("min_entropy"), given("min_entropy")];
  const most = mostEntropy(pattern, group, regex);
  if (typeof least === "number" && node && most !== undefined && least > most + 1e-9) {
    const bits = Math.floor(most * 100) / 100;
    const message = `\`min_entropy\` is never reached: a secret of this pattern has at most ${bits} bits for each character`;
    found.push({ span: node.span, message, help: `write less than ${bits}; random letters have about 4` });
  }
  const except = strings(given("except"));
  for (const { value, node: written } of except) {
    if (!everyLeftAlone(pattern, group, value, regex)) continue;
    const message = `\`except\` leaves every match of \`regex\` alone: \`${value.slice(0, 80)}\` is found in each`;
    found.push({ span: written.span, message, help: "write what only the harmless ones have, as `example$`" });
  }
  return found;
}
