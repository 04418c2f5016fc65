import { expect } from "vitest";
import { type GitleaksImport, importGitleaks } from "../../../authoring/import/gitleaks.ts";
import { compile } from "../../../compiler/compile.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine } from "../../../runtime.ts";

/** The engine of the tests. */
export const regex = createRegexEngine();
/** Bytes of a file. */
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** What comes of a configuration. */
export const importText = (toml: string, name = ".gitleaks.toml"): GitleaksImport =>
  importGitleaks(name, bytes(toml), regex);

/** What stays behind, as `line rule field effect`. */
export function left({ notCarried, source }: GitleaksImport): string[] {
  return notCarried.map(
    ({ rule, field, span, effect }) => `${source?.position(span.start).line} ${rule ?? "-"} ${field} ${effect}`,
  );
}

/** Text after the imported policy. */
export function redacted(imported: GitleaksImport, text: string): string {
  const file = { name: "p.yaml", path: "/p.yaml", bytes: bytes(imported.policy ?? "") };
  const { plan, diagnostics } = compile({ files: [file], regex });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  if (!plan) throw new Error("the policy does not load");
  const event = { event: "tool_result", tool: "read", args: {}, result: { content: [{ type: "text", text }] } };
  const { changes } = createEngine(plan, { regex }).decide(event).decision;
  const content = changes?.content as { text: string }[] | undefined;
  return content?.[0]?.text ?? text;
}
