import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostRow } from "../../../schema/hosts/row.ts";
import { hostNames, hosts } from "../../../schema/hosts.ts";
import { type CapabilityName, capabilities, knownOf, runs } from "../../../scripts/pages/host-proofs.ts";

const root = join(import.meta.dirname, "../../..");
const cells = hostNames.flatMap((host) =>
  (Object.keys(capabilities) as CapabilityName[]).map((name) => [host, name] as const),
);

/** What a file on payloads must at least speak of to be a test of a capability. */
const subjects: Readonly<Record<CapabilityName, RegExp>> = {
  "block a call": /block|deny|denied|refus/i,
  "ask a human": /\bask/i,
  "change arguments": /args|input|arguments/i,
  "redact a result": /content|redact|KEY/,
  "refuse a prompt": /prompt|"input"/i,
  "keep a turn going": /stop/i,
};

describe("the table of proofs", () => {
  it.each(cells)("%s, %s: names a test that is there", (host, name) => {
    const known = knownOf(host, name);
    if (!("proof" in known)) return expect(known.level).toMatch(/not possible|documents/);
    const path = join(root, known.proof.file);
    expect(existsSync(path)).toBe(true);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(known.proof.words);
    if (known.level === "recorded payload") expect(text).toMatch(subjects[name]);
  });

  it("says run only of hosts whose facts are from a run", () => {
    const named = Object.keys(runs) as (keyof typeof runs)[];
    expect(named.filter((host) => (hosts[host] as HostRow).evidence !== "run")).toEqual([]);
  });
});
