import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { storePathLabels } from "../../../store/path-labels.ts";
import { bodiesOf } from "../session-trail.ts";
import { again, start, textOf, tool } from "./fixtures.ts";
import type { Place, Proxied } from "./proxied.ts";

const policy = `version: 1
policy: p
default: allow
labels: { seen: { kind: taint }, downloaded: { kind: mark } }
rules:
  - { id: notes, event: tool_call, tool: mcp__small__read, when: { args.path: notes.txt }, action: { label: { add: [seen] } } }
  - { id: after, event: tool_call, tool: mcp__small__send, when: { session.labels: { contains: seen } }, action: block, reason: the session has seen the notes }
  - { id: marked, event: tool_call, tool: mcp__small__run, when: 'paths.labels(path(string(args.path))).contains("downloaded")', action: block, reason: the file came from outside }
`;

const tools = [tool("read"), tool("send"), tool("run")];
const stateOf = (place: Place): string => join(place.home, ".local/state/hookwarden");

async function said(proxy: Proxied, name: string, args: object = {}): Promise<string> {
  return textOf(await proxy.call(name, args));
}

/** A connection that read the notes and ended, and another that began in the same place. */
async function twoConnections(first: object, second: object): Promise<{ proxy: Proxied; place: Place }> {
  const { proxy, place } = start({ tools }, policy, first);
  await proxy.hello();
  await said(proxy, "read", { path: "notes.txt" });
  await proxy.close();
  const next = again(place, policy, second);
  await next.hello();
  return { proxy: next, place };
}

describe("the session of a connection", () => {
  it("goes on in another process when it is given", async () => {
    const { proxy } = await twoConnections({ session: "s1" }, { session: "s1" });
    expect(await said(proxy, "send")).toContain("the session has seen the notes");
  });

  it.each([
    ["given", { session: "s1" }, { session: "s2" }],
    ["not given", {}, {}],
  ])("is another one's when that is %s", async (_, first, second) => {
    const { proxy } = await twoConnections(first, second);
    expect(await said(proxy, "send")).not.toContain("the session has seen the notes");
  });

  it("is shared by proxies that run at the same time", async () => {
    const { proxy, place } = start({ tools }, policy, { session: "s1" });
    const beside = again(place, policy, { session: "s1" });
    await Promise.all([proxy.hello(), beside.hello()]);
    expect(await said(beside, "send")).not.toContain("the session has seen the notes");
    await said(proxy, "read", { path: "notes.txt" });
    expect(await said(beside, "send")).toContain("the session has seen the notes");
  });

  it("knows the labels that other sessions gave to files", async () => {
    const { proxy, place } = start({ tools }, policy);
    storePathLabels(stateOf(place), new Map([["/data/got.sh", ["downloaded"]]]));
    await proxy.hello();
    expect(await said(proxy, "run", { path: "/data/got.sh" })).toContain("the file came from outside");
    expect(await said(proxy, "run", { path: "/data/other.sh" })).not.toContain("the file came from outside");
  });

  it("is closed when its state cannot be used, and standard error says so once", async () => {
    const { proxy, place } = start({ tools }, policy);
    storePathLabels(stateOf(place), new Map([["/data/got.sh", ["downloaded"]]]));
    writeFileSync(join(stateOf(place), "labels/paths.json"), "{}");
    await proxy.hello();
    for (const _ of [1, 2]) expect(await said(proxy, "send")).toContain("HW515");
    expect(proxy.err.split("HW515")).toHaveLength(2);
    expect(proxy.err).not.toContain('"method":"tools/call"');
  });
});

describe("the trail of a connection", () => {
  it("is its session's own, and names the adapter and the client", async () => {
    const { proxy, place } = start({ tools }, policy, { session: "s1" });
    await proxy.hello();
    await said(proxy, "send");
    const decisions = bodiesOf(join(stateOf(place), "audit"), "s1").filter(({ event }) => event === "tool_call");
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({ adapter: "mcp", host_version: "test/1", session: "s1" });
  });

  it("holds what the proxy saw, also without any policy", async () => {
    const { proxy, place } = start({ tools }, undefined, { session: "s1" });
    await proxy.hello();
    proxy.raw("no JSON at all\n");
    await proxy.untilSaid("was not passed on");
    const bodies = bodiesOf(join(stateOf(place), "audit"), "s1");
    expect(bodies.map(({ note }) => note)).toEqual([expect.stringContaining("was not passed on")]);
  });
});
