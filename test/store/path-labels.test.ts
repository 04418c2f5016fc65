import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { createEngine } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import type { AuditStore } from "../../schema/ports.ts";
import { pathLabelsEvent, storedPathLabels, storePathLabels, withPathLabels } from "../../store/path-labels.ts";

const asking = `version: 1
policy: p
labels: { downloaded: { kind: mark } }
rules:
  - { id: mark, event: tool_call, tool: write, action: { label: { add: [downloaded], on: path } } }
  - { id: marked, event: tool_call, tool: bash, each: { r: effects.reads }, when: 'paths.labels(r.path).contains("downloaded")', action: block, reason: from outside }
`;
const marking = asking.split("\n").slice(0, 5).join("\n");

const planOf = (text: string): Plan =>
  compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] }).plan as Plan;
const plan = planOf(asking);

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-labels-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

function held() {
  const bodies: AuditBody[] = [];
  const store: AuditStore = {
    append(body) {
      bodies.push(body);
      return {} as ReturnType<AuditStore["append"]>;
    },
  };
  return { bodies, store, state: new SessionState() };
}

/** An engine of one session, with what earlier sessions left. */
function opened(by: Plan = plan, own = held()) {
  const store = withPathLabels(state, "s", own, by, 5);
  const engine = createEngine(by, { state: own.state, store });
  const event = { event: "tool_call", id: "e", session: { id: "s" }, environment: { cwd: "/w" } };
  return {
    ...own,
    store,
    write: (path: string) => engine.decide({ ...event, tool: "write", args: { path, content: "x" } }).decision.outcome,
    cat: (path: string) => engine.decide({ ...event, tool: "bash", args: { command: `cat ${path}` } }).decision.outcome,
  };
}

describe("labels of files", () => {
  it("are kept when they are given, and known to the next session", () => {
    const first = opened();
    expect(first.write("a.txt")).toBe("allow");
    expect([...storedPathLabels(state)]).toEqual([["/w/a.txt", ["downloaded"]]]);
    const second = opened();
    expect([second.cat("a.txt"), second.cat("b.txt")]).toEqual(["block", "allow"]);
  });

  it("are learned by a record of the session's own, and only once", () => {
    storePathLabels(state, new Map([["/w/a.txt", ["downloaded"]]]));
    const first = opened();
    expect(first.bodies).toMatchObject([
      { kind: "note", event: pathLabelsEvent, session: "s", state: { paths: [{ path: "/w/a.txt" }] } },
    ]);
    expect(first.bodies[0]?.time).toBe(new Date(5).toISOString());
    const again = { ...held(), state: first.state };
    opened(plan, again);
    expect(again.bodies).toEqual([]);
  });

  it("that are many come in several records", () => {
    storePathLabels(state, new Map(Array.from({ length: 600 }, (_, i) => [`/w/${i}`, ["downloaded"]] as const)));
    const { bodies, cat } = opened();
    expect(bodies).toHaveLength(2);
    expect([cat("0"), cat("599"), cat("600")]).toEqual(["block", "block", "allow"]);
  });

  it("over the bound hold for the folder of the file", () => {
    const many = Array.from({ length: limits.labelledPaths + 1 }, (_, i) => [`/w/d/${i}`, ["downloaded"]] as const);
    storePathLabels(state, new Map(many));
    const { cat } = opened();
    expect([cat("d/other"), cat("other")]).toEqual(["block", "allow"]);
    expect(storedPathLabels(state).size).toBe(limits.labelledPaths);
  });

  it("are not learned by a plan that does not ask for them, but kept by it", () => {
    storePathLabels(state, new Map([["/w/a.txt", ["downloaded"]]]));
    const first = opened(planOf(marking));
    expect(first.bodies).toEqual([]);
    first.write("b.txt");
    expect([...storedPathLabels(state).keys()]).toEqual(["/w/a.txt", "/w/b.txt"]);
  });

  it("that were kept before cost nothing more", () => {
    const { write } = opened();
    write("a.txt");
    const file = join(state, "labels", "paths.json");
    const { ino } = statSync(file);
    write("a.txt");
    expect(statSync(file).ino).toBe(ino);
    opened().write("a.txt");
    expect(statSync(file).ino).toBe(ino);
  });

  it("that cannot be kept are a fault, and what they belong to is not recorded", () => {
    const first = opened();
    mkdirSync(join(state, "labels", "paths.json"), { recursive: true });
    first.write("a.txt");
    expect(first.store.fault).toBeInstanceOf(Error);
    expect(first.bodies).toEqual([]);
  });

  it("that cannot be read are an error, for a label must not get lost", () => {
    mkdirSync(join(state, "labels", "paths.json"), { recursive: true });
    expect(() => opened()).toThrow(/paths\.json/);
  });
});

describe("labels of files that were read before", () => {
  const one = new Map([["/w/a.txt", ["downloaded"]]]);
  const file = () => join(state, "labels", "paths.json");
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** As if nobody had touched the file for long. */
  function later(): void {
    const now = Date.now();
    vi.spyOn(Date, "now").mockReturnValue(now + 60_000);
  }

  it("are what they were, until somebody adds one", () => {
    storePathLabels(state, one);
    later();
    for (let n = 0; n < 3; n++) expect([...storedPathLabels(state)]).toEqual([...one]);
    storePathLabels(state, new Map([["/w/b.txt", ["downloaded"]]]));
    expect([...storedPathLabels(state).keys()]).toEqual(["/w/a.txt", "/w/b.txt"]);
  });

  it("are an error once the file is altered, of whatever size it is then", () => {
    storePathLabels(state, one);
    later();
    expect([...storedPathLabels(state)]).toEqual([...one]);
    writeFileSync(file(), readFileSync(file(), "utf8").replace("a.txt", "z.txt"));
    expect(() => storedPathLabels(state)).toThrow("altered");
  });

  it("are an error where their folder is none, and none where there is no folder", () => {
    expect([...storedPathLabels(state)]).toEqual([]);
    writeFileSync(join(state, "labels"), "");
    expect(() => storedPathLabels(state)).toThrow(/unreadable|ENOTDIR/);
  });

  it("are those of their own installation", () => {
    storePathLabels(state, one);
    later();
    storedPathLabels(state);
    rmSync(join(state, "keys"), { recursive: true });
    expect(() => storedPathLabels(state)).toThrow("altered");
  });
});
