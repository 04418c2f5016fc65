import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { liveFiles } from "../../adapters/live-files.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem, Listing } from "../../schema/ports.ts";
import { execFileSync } from "../bounded-process.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

/** Trees that are made to delay or to mislead: the look is bounded, and where it did not see all the rule is unsure and says why. */
const root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-trees-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function planOf(rules: string): Plan {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(rules) });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return plan;
}

const plan = planOf(`- id: env
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.path: { glob: "**/.env" }, r.metadata_only: false }
  action: block
  reason: "{r.path} is not read"
`);

/** A disk that counts what it is asked for. */
function counted(files: FileSystem) {
  const counts = { folders: 0, entries: 0, texts: 0, bytes: 0 };
  const watched: FileSystem = {
    lookup: (path) => files.lookup(path),
    readText(path, most) {
      const text = files.readText(path, most);
      counts.texts += 1;
      counts.bytes += text?.length ?? 0;
      return text;
    },
    list(folder, most) {
      const listed = files.list?.(folder, most);
      counts.folders += 1;
      counts.entries += listed?.entries.length ?? 0;
      return listed;
    },
  };
  return { counts, files: watched };
}

function judged(command: string, files: FileSystem, cwd: string = root) {
  const watched = counted(files);
  const environment = { cwd, workspace: cwd, home: "/home/dev", interactive: true };
  const event = { event: "tool_call", id: "1", tool: "bash", args: { command }, environment };
  const { decision, body } = createEngine(plan, { files: watched.files }).decide(event);
  return { ...watched.counts, decision, trees: body?.observations.trees };
}

function folder(name: string, ...files: readonly string[]): string {
  mkdirSync(join(root, name), { recursive: true });
  for (const file of files) writeFileSync(join(root, name, file), "");
  return name;
}

/** A disk with one folder, whose listing the test gives. */
function listing(of: string, list: (most: number) => Listing | undefined): FileSystem {
  return {
    ...liveFiles,
    list: (path, most) => (path === join(root, of) ? list(most) : liveFiles.list?.(path, most)),
  };
}

describe("a tree on the disk", () => {
  it("with very many names is looked at up to the bound", () => {
    const many = Array.from({ length: 100_000 }, (_, i) => ({ name: `n${i}`, kind: "file" as const }));
    folder("many");
    const found = judged(
      "tar czf /tmp/x.tgz many",
      listing("many", (most) => ({ entries: many.slice(0, most), missing: "more" })),
    );
    expect([found.folders, found.entries]).toEqual([1, limits.treeEntries]);
    expect(found.decision.outcome).toBe("ask");
    expect(found.decision.reason).toContain("what lies in");
    expect(found.decision.reason).toContain("it has more than 4096 entries");
  });

  it("with very many folders opens no more of them than there are entries", () => {
    const endless: FileSystem = {
      ...liveFiles,
      lookup: () => ({ kind: "directory" }),
      list: (_, most) => ({
        entries: ["a", "b", "c"].slice(0, most).map((name) => ({ name, kind: "directory" })),
        ...(most < 3 && { missing: "more" as const }),
      }),
    };
    const found = judged("tar czf /tmp/x.tgz deep", endless, "/srv/endless");
    expect(found.entries).toBe(limits.treeEntries);
    expect(found.folders).toBeLessThanOrEqual(limits.treeEntries);
    expect(found.decision.outcome).toBe("ask");
  });

  it("is walked within the bounds however many there are in one call", () => {
    const endless: FileSystem = {
      ...liveFiles,
      lookup: () => ({ kind: "directory" }),
      list: (_, most) => ({ entries: Array.from({ length: most }, (_, i) => ({ name: `n${i}`, kind: "directory" })) }),
    };
    const names = Array.from({ length: 200 }, (_, i) => `d${i}`).join(" ");
    const found = judged(`tar czf /tmp/x.tgz ${names}`, endless, "/srv/endless");
    expect(found.entries).toBeLessThanOrEqual(limits.trees * limits.treeEntries);
    expect(found.trees).toHaveLength(limits.trees);
    expect(found.decision.outcome).toBe("ask");
  });

  it("with a loop of links is no loop: links are not followed, and who follows them is unsure", () => {
    folder("loop", "x");
    symlinkSync(".", join(root, "loop", "self"));
    symlinkSync("../loop", join(root, "loop", "round"));
    const plain = judged("grep -r x loop", liveFiles);
    expect([plain.decision.outcome, plain.folders, plain.entries]).toEqual(["allow", 1, 3]);
    const followed = judged("grep -R x loop", liveFiles);
    expect([followed.decision.outcome, followed.folders]).toEqual(["ask", 1]);
    expect(followed.decision.reason).toContain("is a link that is followed");
  });

  it("whose root is a loop of links is not looked into", () => {
    symlinkSync(join(root, "ring-b"), join(root, "ring-a"));
    symlinkSync(join(root, "ring-a"), join(root, "ring-b"));
    const found = judged("grep -r x ring-a", liveFiles);
    expect([found.decision.outcome, found.folders]).toEqual(["ask", 0]);
    expect(found.decision.reason).toContain("cannot be looked at");
  });

  it("with a folder that cannot be read is unsure, and the rest of it is looked at", () => {
    folder("closed");
    folder("closed/a");
    folder("closed/b", "x");
    const unread = (): undefined => undefined;
    const found = judged("tar czf /tmp/x.tgz closed", listing("closed/a", unread));
    expect([found.decision.outcome, found.folders]).toEqual(["ask", 3]);
    expect(found.decision.reason).toContain("a cannot be read");
    folder("closed/c", ".env");
    expect(judged("tar czf /tmp/x.tgz closed", listing("closed/a", unread)).decision.outcome).toBe("block");
  });

  it("with a FIFO, also one that is named as an ignore file, is looked at by names alone", () => {
    folder("pipes", "x");
    execFileSync("mkfifo", [join(root, "pipes", "pipe"), join(root, "pipes", ".gitignore")]);
    expect(judged("grep -r x pipes", liveFiles)).toMatchObject({ decision: { outcome: "allow" }, texts: 0 });
    const visible = judged("git add pipes", liveFiles);
    expect([visible.decision.outcome, visible.bytes]).toEqual(["allow", 0]);
    execFileSync("mkfifo", [join(root, "pipes", ".env")]);
    expect(judged("grep -r x pipes", liveFiles).decision.outcome).toBe("block");
  });

  it("that is a FIFO itself is unsure", () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const found = judged("grep -r x pipe", liveFiles);
    expect([found.decision.outcome, found.folders]).toEqual(["ask", 0]);
    expect(found.decision.reason).toContain("cannot be looked at");
  });

  it("whose root vanishes is unsure", () => {
    folder("gone");
    const found = judged(
      "tar czf /tmp/x.tgz gone",
      listing("gone", () => undefined),
    );
    expect(found.decision.outcome).toBe("ask");
    expect(found.decision.reason).toContain("it cannot be read");
    expect(judged("tar czf /tmp/x.tgz never-there", liveFiles).decision.outcome).toBe("allow");
  });

  it("with a name that is no text is unsure, and other names are seen", () => {
    folder("names", "ok");
    writeFileSync(Buffer.concat([Buffer.from(`${join(root, "names")}/`), Buffer.from([0x2e, 0xff, 0x65])]), "");
    const found = judged("tar czf /tmp/x.tgz names", liveFiles);
    expect(found.decision.outcome).toBe("ask");
    expect(found.decision.reason).toContain("has names that are no text");
    writeFileSync(join(root, "names", ".env"), "");
    expect(judged("tar czf /tmp/x.tgz names", liveFiles).decision.outcome).toBe("block");
  });

  it("with ignore files without end reads few of them, and those over a bound ignore nothing", () => {
    const files: FileSystem = {
      ...liveFiles,
      lookup: () => ({ kind: "directory" }),
      list: (path, most) =>
        path.split("/").length > 100
          ? { entries: [] }
          : {
              entries: [
                { name: ".gitignore", kind: "file" as const },
                { name: "d", kind: "directory" as const },
              ].slice(0, most),
            },
      readText: () => "a\n".repeat(400),
    };
    const found = judged("git add .", files, "/srv/app");
    expect(found.texts).toBeLessThanOrEqual(limits.ignoreFiles);
    const long: FileSystem = { ...files, readText: () => "*\n".repeat(limits.ignoreLines + 1) };
    const over: FileSystem = {
      ...long,
      list: () => ({
        entries: [
          { name: ".gitignore", kind: "file" },
          { name: ".env", kind: "file" },
        ],
      }),
    };
    expect(judged("git add .", over, "/srv/app").decision.outcome).toBe("block");
    expect(judged("git add .", { ...over, readText: () => ".env\n" }, "/srv/app").decision.outcome).toBe("allow");
  });

  it("that is compared with very many tests ends when the work is too much", () => {
    const globs = Array.from({ length: 2_000 }, (_, i) => `"**/*${i}*x*y${i}"`).join(", ");
    const hard = planOf(`- id: many
  event: tool_call
  each: { r: effects.reads }
  when: { r.path: { glob: [${globs}] } }
  action: block
  reason: x
`);
    const wide = Array.from({ length: limits.treeEntries }, (_, i) => ({
      name: `${"x".repeat(200)}${i}`,
      kind: "file" as const,
    }));
    const files: FileSystem = { ...liveFiles, lookup: () => ({ kind: "directory" }), list: () => ({ entries: wide }) };
    const environment = { cwd: "/srv/app", workspace: "/srv/app", home: "/home/dev", interactive: true };
    const event = { event: "tool_call", id: "1", tool: "bash", args: { command: "tar czf /tmp/x.tgz a" }, environment };
    const { decision } = createEngine(hard, { files }).decide(event);
    expect(decision.outcome).toBe("ask");
    expect(decision.reason).toContain("takes too much work");
  });
});
