import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { approveOnce, reloadRequested, requestReload, takeApproval } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { storedPathLabels, storePathLabels } from "../../store/path-labels.ts";
import { pinnedPlan, pinPlan, unpinPlan } from "../../store/pinned-plan.ts";
import { readSealed, writeSealed } from "../../store/sealed-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { distrust, trust, trustedDigests } from "../../store/trust.ts";
import { policyFile } from "../literate/policies.ts";

/** What a human decided, in a state folder of the test's own. */
let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-state-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const one = `sha256:${"1".repeat(64)}`;
const two = `sha256:${"2".repeat(64)}`;
const file = (digest: string) => ({ digest, path: "/p.yaml", time: "2026-11-22T00:00:00Z" });

/** A file with one byte of its text changed. */
function alter(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

describe("the state folder", () => {
  it.each([
    ["is where XDG_STATE_HOME says", { XDG_STATE_HOME: "/s" }, "/s/hookwarden"],
    ["is in the home folder else", {}, "/h/.local/state/hookwarden"],
    ["takes no relative path", { XDG_STATE_HOME: "s" }, "/h/.local/state/hookwarden"],
  ])("%s", (_, env, expected) => expect(stateFolder(env, "/h")).toBe(expected));
});

describe("the install key", () => {
  it("is made once, for its user alone", () => {
    const key = installKey(state);
    expect(key).toHaveLength(32);
    expect(installKey(state)).toEqual(key);
    expect(statSync(join(state, "keys", "install.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(state, "keys"))).toEqual(["install.key"]);
  });

  it.each<[string, () => void]>([
    ["others may read it", () => chmodSync(join(state, "keys", "install.key"), 0o644)],
    ["it was cut", () => writeFileSync(join(state, "keys", "install.key"), "short")],
    [
      "it is a link",
      () => {
        rmSync(join(state, "keys", "install.key"));
        symlinkSync("/dev/zero", join(state, "keys", "install.key"));
      },
    ],
  ])("is refused when %s", (_, spoil) => {
    installKey(state);
    spoil();
    expect(() => installKey(state)).toThrow();
  });
});

describe("a sealed file", () => {
  const path = () => join(state, "x.json");
  const key = Buffer.alloc(32, 1);
  it("gives back what was written, and only with the same key and kind", () => {
    writeSealed(path(), "a", { n: 1 }, key);
    expect(readSealed(path(), "a", key)).toEqual({ value: { n: 1 } });
    expect(readSealed(path(), "b", key)).toEqual({ problem: "altered" });
    expect(readSealed(path(), "a", Buffer.alloc(32, 2))).toEqual({ problem: "altered" });
  });

  it.each<[string, string, string]>([
    ["a changed value", '"n":1', '"n":2'],
    ["a changed seal", '\n{"n', '0\n{"n'],
    ["no JSON", "{", "["],
    ["more behind it", "}\n", "}\n\n"],
    ["no end", "}\n", "}"],
  ])("is altered with %s", (_, from, to) => {
    writeSealed(path(), "a", { n: 1 }, key);
    alter(path(), from, to);
    expect(readSealed(path(), "a", key)).toEqual({ problem: "altered" });
  });

  it("is not read through a link, and absent where there is none", () => {
    expect(readSealed(path(), "a", key)).toEqual({ problem: "absent" });
    symlinkSync("/dev/zero", path());
    expect(readSealed(path(), "a", key)).toEqual({ problem: "unreadable" });
  });
});

describe("trust", () => {
  it("holds by digest until it is taken back; looking makes nothing", () => {
    expect([...trustedDigests(state)]).toEqual([]);
    expect(readdirSync(state)).toEqual([]);
    trust(state, [file(one), file(two)]);
    trust(state, [file(one)]);
    expect([...trustedDigests(state)].sort()).toEqual([one, two]);
    distrust(state, [one]);
    expect([...trustedDigests(state)]).toEqual([two]);
  });

  it("is nothing when its file was written by anyone else", () => {
    trust(state, [file(one)]);
    alter(join(state, "trust", "trusted.json"), one, two);
    expect([...trustedDigests(state)]).toEqual([]);
  });
});

describe("a reload request", () => {
  it("names one plan, and is for sessions that were there before it", () => {
    requestReload(state, one, 100);
    expect(reloadRequested(state, one, 50)).toBe(true);
    expect(reloadRequested(state, one, 101)).toBe(false);
    expect(reloadRequested(state, two, 50)).toBe(false);
  });

  it.each(["../../etc/passwd", "sha256:x", ""])("takes no other name than a digest: `%s`", (name) => {
    expect(() => requestReload(state, name, 1)).toThrow();
    expect(reloadRequested(state, name, 0)).toBe(false);
  });

  it("is nothing when it was not sealed here", () => {
    requestReload(state, one, 100);
    const path = join(state, "reload", `${"1".repeat(64)}.json`);
    alter(path, '"time":100', '"time":900');
    expect(reloadRequested(state, one, 0)).toBe(false);
  });
});

describe("a one-time approval", () => {
  it("is taken once", () => {
    approveOnce(state, one, 1);
    expect(takeApproval(state, two)).toBe(false);
    expect([takeApproval(state, one), takeApproval(state, one)]).toEqual([true, false]);
    expect(readdirSync(join(state, "approvals"))).toEqual([]);
  });

  it("of another call, copied under this one's name, is none", () => {
    approveOnce(state, one, 1);
    const folder = join(state, "approvals");
    writeFileSync(join(folder, `${"2".repeat(64)}.json`), readFileSync(join(folder, `${"1".repeat(64)}.json`)));
    expect(takeApproval(state, two)).toBe(false);
  });

  it("that somebody made up is none", () => {
    installKey(state);
    const path = join(state, "approvals", `${"1".repeat(64)}.json`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ kind: "approval", seal: "0".repeat(64), value: { key: one, time: 1 } }));
    expect(takeApproval(state, one)).toBe(false);
  });
});

describe("a pinned plan", () => {
  const plan = compile({ files: [policyFile("version: 1\npolicy: p\nrules: []\n")] }).plan as Plan;
  const path = () => join(state, "sessions", readdirSync(join(state, "sessions"))[0] ?? "");

  it("serves its session until it is forgotten", () => {
    expect(pinnedPlan(state, "s")).toEqual({ kind: "none" });
    pinPlan(state, "s", plan, 7);
    expect(pinnedPlan(state, "s")).toEqual({ kind: "plan", plan, since: 7 });
    expect(pinnedPlan(state, "other")).toEqual({ kind: "none" });
    unpinPlan(state, "s");
    expect(pinnedPlan(state, "s")).toEqual({ kind: "none" });
  });

  it("cannot be used when it was changed, or put there for another session", () => {
    pinPlan(state, "s", plan, 7);
    const sound = readFileSync(path());
    alter(path(), '"default":"allow"', '"default":"block"');
    expect(pinnedPlan(state, "s").kind).toBe("unusable");
    unpinPlan(state, "s");
    pinPlan(state, "t", plan, 7);
    writeFileSync(path(), sound);
    expect(pinnedPlan(state, "t").kind).toBe("unusable");
  });

  it("survives any session id", () => {
    for (const id of ["../x", "", "a/b", "x".repeat(5_000), "\0"]) {
      pinPlan(state, id, plan, 1);
      expect(pinnedPlan(state, id).kind).toBe("plan");
    }
  });
});

describe("stored path labels", () => {
  it("join", () => {
    expect([...storedPathLabels(state)]).toEqual([]);
    storePathLabels(state, new Map([["/a", ["x"]]]));
    storePathLabels(
      state,
      new Map([
        ["/a", ["y", "x"]],
        ["/b/c", ["z"]],
      ]),
    );
    expect([...storedPathLabels(state)]).toEqual([
      ["/a", ["x", "y"]],
      ["/b/c", ["z"]],
    ]);
  });

  it("are an error when they were changed, for a label must not get lost", () => {
    storePathLabels(state, new Map([["/a", ["x"]]]));
    alter(join(state, "labels", "paths.json"), '"x"', '"y"');
    expect(() => storedPathLabels(state)).toThrow(/altered/);
  });
});
