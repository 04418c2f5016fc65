import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookMemory } from "../../../adapters/one-shot/memory.ts";
import type { OnDisk, PlanPlaces } from "../../../adapters/one-shot/plans.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Plan } from "../../../engine/plan.ts";
import { pinPlan, unpinPlan } from "../../../store/pinned-plan.ts";

let root = "";
let places: PlanPlaces;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-memory-"));
  for (const folder of ["home/.config/hookwarden", "project/deep", "state/trust", "named"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "named/a.yaml"), "1");
  places = {
    policies: [join(root, "named"), "pack:shell-safety"],
    set: {},
    cwd: root,
    project: { cwd: join(root, "project/deep"), workspace: join(root, "project") },
    home: join(root, "home"),
    state: join(root, "state"),
  };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text = "x"): void => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

const planOf = (name: string): Plan => {
  const bytes = Buffer.from(`version: 1\npolicy: ${name}\nrules: []\n`);
  return compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes }] }).plan as Plan;
};

/** Far enough from every change for it to count as settled. */
const later = Date.now() + 60_000;

/** How often plans are read. */
function counted(memory: HookMemory, imports: readonly string[] = []) {
  const read = { count: 0 };
  const found: OnDisk = {
    policies: "sha256:0",
    digest: "sha256:1",
    imports: imports.map((path) => ({ path })),
    plan: () => Promise.reject(new Error("not asked for")),
    made: () => ({ policies: "sha256:0", imports: [] }),
  };
  const look = (of = places, now = later) =>
    memory.onDisk(of, "s", now, async () => {
      read.count += 1;
      return found;
    });
  return { read, look };
}

describe("plans that a process remembers", () => {
  it("are not read again while nothing has changed", async () => {
    const { read, look } = counted(new HookMemory());
    for (let i = 0; i < 3; i++) expect(await look()).toMatchObject({ digest: "sha256:1" });
    expect(read.count).toBe(1);
    await look({ ...places, set: { a: "b" } });
    expect(read.count).toBe(2);
  });

  it.each<[string, () => void]>([
    ["a policy has changed", () => put("named/a.yaml", "22")],
    [
      "a policy has changed within its size and time",
      () => {
        put("named/a.yaml", "2");
        utimesSync(join(root, "named/a.yaml"), 1, 1);
      },
    ],
    ["a policy has come", () => put("named/b.yaml")],
    ["a policy has come one level down", () => put("named/inner/policy.yaml")],
    ["a policy has gone", () => rmSync(join(root, "named/a.yaml"))],
    ["the user has one", () => put("home/.config/hookwarden/u.yaml")],
    ["the project has one", () => put("project/.hookwarden/policy.yaml")],
    ["a folder of the project has one", () => put("project/deep/.hookwarden/policy.yaml")],
    ["something was trusted", () => put("state/trust/trusted.json")],
    ["an import has changed", () => put("imported.yaml", "other")],
    [
      "a link leads elsewhere",
      () => {
        put("other/a.yaml");
        rmSync(join(root, "named"), { recursive: true });
        symlinkSync(join(root, "other"), join(root, "named"));
      },
    ],
  ])("are read again once %s", async (_, change) => {
    put("imported.yaml");
    const { read, look } = counted(new HookMemory(), [join(root, "imported.yaml")]);
    await look();
    await look();
    expect(read.count).toBe(1);
    change();
    await look();
    expect(read.count).toBe(2);
  });

  it("are read each time where something was changed just now, and after a fault", async () => {
    const { read, look } = counted(new HookMemory());
    await look(places, Date.now());
    await look(places, Date.now());
    expect(read.count).toBe(2);
    const memory = new HookMemory();
    const fault = { code: "HW508", message: "no", fix: "none" } as const;
    let asked = 0;
    for (let i = 0; i < 2; i++) await memory.onDisk(places, "s", later, async () => (asked++, fault));
    expect(asked).toBe(2);
  });

  it("are one and the same for all sessions and places whose plans have the same digest", async () => {
    const memory = new HookMemory();
    const { state } = places;
    for (const session of ["s1", "s2", "s3"]) pinPlan(state, session, planOf(session === "s3" ? "b" : "a"), 1);
    const [one, two, other] = ["s1", "s2", "s3"].map((session) => {
      const pinned = memory.pinned(state, session);
      return pinned.kind === "plan" ? pinned.plan : undefined;
    });
    expect(one).toBeDefined();
    expect(two).toBe(one);
    expect(other).not.toBe(one);
    expect(other?.digest).toBe(planOf("b").digest);
    let read = 0;
    const onDisk = (name: string): OnDisk => ({
      policies: name,
      made: () => ({ policies: name, imports: [] }),
      digest: planOf(name).digest,
      imports: [],
      plan: async () => (read++, planOf(name)),
    });
    const planAt = async (name: string, cwd: string) => {
      const found = await memory.onDisk({ ...places, cwd }, "s", later, async () => onDisk(name));
      return "code" in found ? undefined : found.plan();
    };
    expect([await planAt("a", root), await planAt("a", "/")]).toEqual([one, one]);
    expect(await planAt("a", root)).toBe(one);
    expect(read).toBe(0);
    const third = await planAt("c", "/usr");
    expect([await planAt("c", "/usr"), await planAt("c", "/bin")].map((plan) => plan === third)).toEqual([true, true]);
    expect(read).toBe(1);
  });

  it("are those that are pinned now", () => {
    const memory = new HookMemory();
    const { state } = places;
    expect(memory.pinned(state, "s").kind).toBe("none");
    pinPlan(state, "s", planOf("a"), 1);
    const first = memory.pinned(state, "s");
    expect(first).toMatchObject({ kind: "plan", plan: { digest: planOf("a").digest } });
    expect(memory.pinned(state, "s")).toBe(first);
    const made = { policies: "p", imports: [] };
    pinPlan(state, "t", planOf("a"), 1, { made });
    expect(memory.pinned(state, "t")).toMatchObject({ kind: "plan", made });
    pinPlan(state, "s", planOf("b"), 1);
    expect(memory.pinned(state, "s")).toMatchObject({ plan: { digest: planOf("b").digest } });
    unpinPlan(state, "s");
    expect(memory.pinned(state, "s").kind).toBe("none");
  });
});
