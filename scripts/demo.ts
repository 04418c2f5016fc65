import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HookRunner } from "../adapters/hooks/index.ts";
import { compile } from "../compiler/compile.ts";
import { ChainVerifier } from "../engine/chain.ts";
import { hasErrors, renderDiagnostic } from "../index.ts";
import { createEngine } from "../runtime.ts";
import { openAuditFile } from "../store/audit-file.ts";
import { discoverPolicies, resolveImport } from "../store/discover.ts";
import { agentRun } from "./demo/agent.ts";

/**
 * The main job on the embedded runtime: a scripted agent with a real shell and a real file reader works in a scratch
 * folder under a compiled policy. It tries a forbidden call, reads a file that holds a key, and builds its context.
 * The only commands that ever reach the shell here are harmless ones.
 */
const scratch = mkdtempSync(join(tmpdir(), "hookwarden-demo-"));
const trail = mkdtempSync(join(tmpdir(), "hookwarden-demo-audit-"));
process.exitCode = 1;
try {
  process.exitCode = await demonstrate();
} finally {
  for (const folder of [scratch, trail]) rmSync(folder, { recursive: true, force: true });
}

function say(title: string, text: string): void {
  process.stdout.write(`\n${title}\n${text.replace(/^/gm, "    ")}\n`);
}

async function demonstrate(): Promise<number> {
  const { files } = discoverPolicies([join(import.meta.dirname, "demo", "policy.yaml")], dirname(import.meta.dirname));
  const { plan, diagnostics, sources } = compile({ files, resolveImport });
  for (const d of diagnostics) say(d.code, renderDiagnostic(d, sources));
  if (!plan || hasErrors(diagnostics)) return 1;
  say(
    "1. policies compiled",
    plan.policies
      .map((p) => `${p.id}: ${plan.rules.filter((r) => plan.policies[r.policy] === p).length} rules`)
      .join("\n"),
  );

  const path = join(trail, "audit.jsonl");
  const store = openAuditFile(path);
  const engine = createEngine(plan, { store, sessionKey: "demo" });
  const runner = new HookRunner([], { cwd: scratch, profile: "pi", engine, gate: { host: "demo", store } });
  const held = await agentRun(runner, scratch, say);
  store.close();
  const verified = verifiedTrail(path);
  say("7. audit trail", `${verified.records} records, ${verified.status}`);
  const good = held && verified.status === "intact";
  process.stdout.write(good ? "\nevery promise held\n" : "\nA PROMISE WAS BROKEN\n");
  return good ? 0 : 1;
}

function verifiedTrail(path: string): { records: number; status: string } {
  const chain = new ChainVerifier();
  for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) chain.push(line);
  return chain.report();
}
