import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HookReply } from "../../../adapters/one-shot/dialect.ts";
import { refusalOfLine } from "../../../adapters/one-shot/own-refusal.ts";
import { hookHosts } from "../../../adapters/one-shot/registry.ts";
import { spawnSync } from "../../bounded-process.ts";
import { wiredEvents } from "./wired-events.ts";

const client = join(import.meta.dirname, "../../../adapters/one-shot/hookwarden-client.sh");

/** The client's answer for a launcher that ends with code 1 and says nothing. */
function ofClient(words: readonly string[]): HookReply {
  const ended = spawnSync("/bin/sh", [client, "/bin/false", "launcher", ...words], { input: "", env: {} });
  return { stdout: ended.stdout.toString(), stderr: ended.stderr.toString(), exitCode: ended.status ?? -1 };
}

/** What a host makes of a reply: a code of 2 holds whatever else is said; otherwise the document counts, whatever its words. */
function effect({ stdout, exitCode }: HookReply): unknown {
  if (exitCode === 2) return 2;
  const worded = (_key: string, value: unknown): unknown =>
    typeof value === "string" && value.startsWith("Blocked by hookwarden") ? "why" : value;
  return [exitCode, stdout === "" ? "nothing" : JSON.parse(stdout, worded)];
}

describe("the client's refusal for a launcher that gave none", () => {
  const wired = hookHosts.flatMap((host) => wiredEvents(host).map((event) => [host, event] as const));

  it.each(wired)("%s %s is the one of the dialect", (host, event) => {
    const words = [host, "--event", event];
    expect(effect(ofClient(words))).toEqual(effect(refusalOfLine(words, "Blocked by hookwarden")));
  });

  it.each(hookHosts)("%s without an event is the strict one", (host) => {
    expect(effect(ofClient([host]))).toEqual(effect(refusalOfLine([host], "Blocked by hookwarden")));
  });
});
