import { describe, expect, it } from "vitest";
import { closures } from "./decision/closures.ts";
import { ownPlan, ruleLines, unindexed } from "./decision/hookwarden.ts";
import { type MixEvent, type MixRule, matching, mix, quiet, shares } from "./decision/mix.ts";
import type { Peer } from "./decision/peer.ts";
import { peers } from "./decision/peers.ts";
import { blockedShell, quietShell, shellPeers } from "./decision/shell.ts";

/** Calls that the rule blocks, and that it just does not: the tool is another, or its texts are cut in the middle. */
function callsOf(rule: MixRule): readonly MixEvent[] {
  const event = matching(rule);
  const cut = (text: string): string => text.replaceAll("-", "_").replaceAll("/", "|");
  const near = { ...quiet, command: cut(event.command).slice(0, 200), user: cut(event.user).slice(0, 40) };
  return [event, { ...event, tool: "fetch" }, near];
}

async function verdicts(
  peer: Peer,
  rules: readonly MixRule[],
  events: readonly MixEvent[],
): Promise<readonly string[]> {
  const decider = await peer.load(rules);
  const found: string[] = [];
  for (const event of events) found.push(await decider.for(event)());
  return found;
}

describe("engines that are compared say the same", () => {
  const rules = mix(120, shares.packs);
  const events = [quiet, ...rules.flatMap(callsOf)];
  const expected = events.map((_, i) => (i % 3 === 1 ? "block" : "allow"));

  it.each(peers)("$name, under all rules: each rule blocks its call, and none a neighbour of it", async (peer) => {
    expect(await verdicts(peer, rules, events)).toEqual(expected);
  });

  // Each kind of rule is among so many.
  const few = mix(24, shares.packs);

  it.each(peers)("$name, under each rule by itself", async (peer) => {
    const near = [quiet, ...few.flatMap(callsOf)];
    for (const rule of few)
      expect(await verdicts(peer, [rule], near), rule.id).toEqual(await verdicts(closures, [rule], near));
  });
});

describe("engines that look into shell texts", () => {
  it.each(shellPeers.filter(({ name }) => !name.startsWith("reading")))("$name tells the calls apart", async (peer) => {
    const decider = peer.load(20);
    expect(await decider.for(quietShell)()).toBe("allow");
    expect(await decider.for(blockedShell(20))()).toBe("block");
    expect(await decider.for(blockedShell(21))()).toBe("allow");
    expect(await decider.for({ ...quiet, command: "tool-3 --forced; echo tool-3 --force" })()).toBe("allow");
    expect(await decider.for({ ...quiet, command: "echo a && sudo tool-3 b --force" })()).toBe("block");
  });
});

describe("a mix of rules", () => {
  it.each([
    ["none", 0],
    ["some", 2],
    ["packs", 16],
  ] as const)("with the share `%s` has as many rules that the index cannot take as it says", (share, expected) => {
    expect(unindexed(ownPlan(ruleLines(mix(100, shares[share]))))).toHaveLength(expected);
  });
});
