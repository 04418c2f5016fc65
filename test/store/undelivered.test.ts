import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sessionDigest } from "../../store/segment-files.ts";
import { undeliveredText } from "../../store/undelivered.ts";

let state = "";
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "hookwarden-undelivered-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const line = (host: string, more: object = {}): string =>
  JSON.stringify({ body: { event: "tool_call", host, ...more }, seal: { seq: 1 } });
const short = (delivered: "no" | "weaker"): object => ({ on_host: { delivered, short: [{ action: "redact" }] } });

/** The trail of a session, last written so many seconds after the beginning of time. */
function session(id: string, time: number, lines: readonly string[], segment = 1): void {
  const folder = join(state, "audit", sessionDigest(id));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${String(segment).padStart(6, "0")}.jsonl`);
  writeFileSync(path, lines.map((one) => `${one}\n`).join(""), { mode: 0o600 });
  utimesSync(path, time, time);
}
const told = (host = "codex"): string | undefined => undeliveredText(state, host, "now");

describe("what a host could not be given as it was decided", () => {
  it("is nothing without a trail, without a session of the host, and where all was delivered", () => {
    expect(told()).toBeUndefined();
    session("a", 100, [line("pi", short("no"))]);
    expect(told()).toBeUndefined();
    session("b", 200, [line("codex"), line("codex", { on_host: { delivered: "full" } })]);
    expect(told()).toBeUndefined();
  });

  it("is told of the last session of the host, over all its segments", () => {
    session("old", 100, [line("codex", short("no")), line("codex", short("no")), line("codex", short("no"))]);
    session("last", 200, [line("codex", short("no"))]);
    session("last", 201, [line("codex", short("weaker")), line("codex")], 2);
    session("other", 300, [line("pi", short("no"))]);
    expect(told()).toBe(
      "2 decisions of the last session on codex could not be delivered as decided; `hookwarden audit verify --gaps` shows them",
    );
    session("newest", 400, [line("codex", short("weaker"))]);
    expect(told()).toMatch(/^1 decision of .* shows it$/);
  });

  it("is not told of the session that begins, and not once more after a session in which all was delivered", () => {
    session("last", 100, [line("codex", short("no"))]);
    session("now", 200, [line("codex"), line("codex", short("no")), line("codex", short("no"))]);
    expect(told()).toMatch(/^1 decision /);
    session("good", 300, [line("codex")]);
    expect(told()).toBeUndefined();
  });

  it("is not what a text of a record says", () => {
    session("last", 100, [line("codex", { reason: '{"on_host":{"delivered":"no"' })]);
    expect(told()).toBeUndefined();
  });

  it("is a least number where a session has more than is read", () => {
    const long = line("codex", { ...short("no"), reason: "x".repeat(4_000_000) });
    session("last", 100, [long, long, long], 1);
    session("last", 101, [line("codex", short("no"))], 2);
    expect(told()).toMatch(/^at least 1 decision of /);
  });
});
