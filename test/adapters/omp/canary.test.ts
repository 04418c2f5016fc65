import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { beat, canary, silence } from "../../../adapters/omp/canary.ts";

const state = mkdtempSync(join(tmpdir(), "hookwarden-canary-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const heartbeat = { host: "omp", state: "guarded", pid: 1, time: "2026-11-22T01:00:00.000Z", version: "0" } as const;
const at = Date.parse(heartbeat.time);

describe("the canary", () => {
  it("is silent where no guard was loaded, or only an earlier one", () => {
    expect(canary(state, "omp", 0)).toEqual({ loaded: false, why: "the guard was never loaded" });
    expect(beat(state, heartbeat)).toBe(true);
    expect(canary(state, "omp", at + 1)).toMatchObject({ loaded: false });
    expect(canary(state, "omp", at)).toEqual({ loaded: true, heartbeat });
    silence(state, "omp");
    expect(canary(state, "omp", 0)).toMatchObject({ loaded: false });
  });

  it("does not call a guard without a policy loaded", () => {
    beat(state, { ...heartbeat, state: "closed" });
    expect(canary(state, "omp", at)).toMatchObject({ loaded: false, why: expect.stringContaining("no usable policy") });
  });

  it("leaves a file that is the user's alone", () => {
    beat(state, heartbeat);
    expect(statSync(join(state, "heartbeats", "omp.json")).mode & 0o077).toBe(0);
  });
});
