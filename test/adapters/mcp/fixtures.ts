import { afterEach } from "vitest";
import { makePlace, type Place, Proxied, type Rpc, type Said } from "./proxied.ts";

const open: { place: Place; proxy: Proxied }[] = [];

/** A proxy with a policy text in front of a small server; both go after the test. */
export function start(said: Said, policy: string | undefined, more = {}): { place: Place; proxy: Proxied } {
  const place = makePlace(said);
  const started = { place, proxy: new Proxied(place, policy, more) };
  open.push(started);
  return started;
}

/** Another proxy in the same place. */
export function again(place: Place, policy: string | undefined, more = {}): Proxied {
  const proxy = new Proxied(place, policy, more);
  open.push({ place, proxy });
  return proxy;
}

afterEach(async () => {
  for (const { proxy } of open) await proxy.close();
  for (const { place } of open.splice(0)) place.remove();
});

/** The beginning of a policy. */
export const header = "version: 1\npolicy: p\nrules:\n";
/** A policy that lets everything through. */
export const allowAll = `${header}  - id: never\n    event: tool_call\n    tool: mcp__small__nothing-has-this-name\n    action: block\n`;
/** A policy with one rule of each kind. */
export const policy = `${header}
  - id: no-forbidden
    event: tool_call
    tool: mcp__small__forbidden
    action: block
    reason: nobody may call this
  - id: no-bad-word
    event: tool_call
    tool: mcp__small__*
    when: { args.word: bad }
    action: block
    reason: the word is bad
  - id: ask-first
    event: tool_call
    tool: mcp__small__asked
    action: ask
  - id: other-word
    event: tool_call
    tool: mcp__small__echo
    when: { args.word: old }
    action: { modify: { set: { word: new } } }
  - id: hide-secrets
    event: tool_result
    action: { redact: { detectors: ["secrets/*"] } }
`;

/** A tool as a server lists it. */
export const tool = (name: string, more: object = {}) => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: "object" },
  ...more,
});
/** Names of listed tools. */
export const names = (answer: Rpc): string[] => answer["result"].tools.map((one: Rpc) => one["name"]);
/** All text of a result. */
export const textOf = (answer: Rpc): string => answer["result"].content.map((part: Rpc) => part["text"]).join("\n");
