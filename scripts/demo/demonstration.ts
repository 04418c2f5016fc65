import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HookRunner } from "../../adapters/hooks/index.ts";
import { compile } from "../../compiler/compile.ts";
import type { Palette } from "../../diagnostics/render.ts";
import { ChainVerifier } from "../../engine/chain.ts";
import { hasErrors, renderDiagnostic } from "../../index.ts";
import { createEngine } from "../../runtime.ts";
import { openAuditFile } from "../../store/audit-file.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { agentRun, type Say } from "./agent.ts";

const root = join(import.meta.dirname, "..", "..");

/**
 * The main job on the embedded runtime: a scripted agent with a real shell and a real file reader works in a scratch
 * folder under a compiled policy. It tries a forbidden call, reads a file that holds a key, and builds its context.
 * The only commands that ever reach the shell here are harmless ones. What is printed goes to `write`, in `colours`; the
 * answer is whether every promise held. The scratch folder is the home of the agent's shell and is printed as `~`.
 */
export async function demonstration(write: (text: string) => void, colours: Palette): Promise<boolean> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-demo-")));
  const trail = mkdtempSync(join(tmpdir(), "hookwarden-demo-audit-"));
  const say: Say = (title, text) => {
    write(`\n${colours.strong(title)}\n${text.replaceAll(scratch, "~").replace(/^/gm, "    ")}\n`);
  };
  try {
    write("\nA scripted agent works in a scratch folder, which is printed as ~.\n");
    const held = await demonstrate(scratch, trail, say, colours);
    write(held ? `\n${colours.strong("every promise held")}\n` : `\n${colours.error("A PROMISE WAS BROKEN")}\n`);
    return held;
  } finally {
    for (const folder of [scratch, trail]) rmSync(folder, { recursive: true, force: true });
  }
}

async function demonstrate(scratch: string, trail: string, say: Say, colours: Palette): Promise<boolean> {
  const { files } = discoverPolicies([join(import.meta.dirname, "policy.yaml")], root);
  const { plan, diagnostics, sources } = compile({ files, resolveImport });
  for (const d of diagnostics) say(d.code, renderDiagnostic(d, sources));
  if (!plan || hasErrors(diagnostics)) return false;
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
  const held = await agentRun(runner, scratch, say, colours);
  store.close();
  const verified = verifiedTrail(path);
  say("7. audit trail", `${verified.records} records, ${verified.status}`);
  return held && verified.status === "intact";
}

function verifiedTrail(path: string): { records: number; status: string } {
  const chain = new ChainVerifier();
  for (const line of readFileSync(path, "utf8").split("\n").slice(0, -1)) chain.push(line);
  return chain.report();
}
