import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { checkedText, policyOf, type Slip } from "./slip.ts";

/** Slips by people who write their first rules, each beside what they meant. The table is data, so that anyone can add a row. */
const slips = JSON.parse(readFileSync(new URL("slips.json", import.meta.url), "utf8")) as readonly Slip[];

const shown = (found: readonly Diagnostic[]): string =>
  found.map((d) => `${d.severity}[${d.code}] ${d.message} | ${d.help}`).join("\n");

/** Codes of every rule without an example, and of rules that leave out what the human types. */
const beside: ReadonlySet<string> = new Set(["HW601", "HW632"]);

/** Rows whose subject is one of these. */
const findingsOf = (text: string, { kind }: Slip, strict = false): readonly Diagnostic[] =>
  checkedText(text, strict).filter(({ code }) => kind === "examples" || !beside.has(code));

describe("slips", () => {
  it("has enough of every kind", () => {
    const kinds = new Map<string, number>();
    for (const { kind } of slips) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    expect([...kinds.keys()].length).toBeGreaterThanOrEqual(10);
    expect(new Set(slips.map(({ wrong }) => wrong)).size).toBe(slips.length);
  });

  it.each(slips.filter(({ kind }) => kind !== "folds"))("$kind: $wrong", (slip) => {
    const wrong = findingsOf(policyOf(slip.wrong), slip);
    const said = wrong.map(({ message, help }) => `${message} ${help}`).join("\n");
    expect(wrong.length, "nothing is said of it").toBeGreaterThan(0);
    for (const name of slip.names) expect(said, shown(wrong)).toContain(name);
  });

  it.each(slips)("$kind: $right is right", (slip) => {
    const right = findingsOf(policyOf(slip.right, slip.call ?? undefined), slip, true);
    expect(right, shown(right)).toEqual([]);
  });

  it.each(slips.filter(({ kind }) => kind === "folds"))("folds: $wrong means $right", (slip) => {
    const found = checkedText(policyOf(slip.wrong, slip.call), true).filter(({ code }) => !beside.has(code));
    const errors = found.filter(({ code }) => code !== "HW602");
    expect(errors, shown(errors)).toEqual([]);
  });
});
