import { readFileSync } from "node:fs";
import { shownPath, shownText } from "../../schema/approximation.ts";
import type { EffectBase, PathValue } from "../../schema/facts.ts";
import { Judge } from "./oracle/judge.ts";
import { faultsOf, mayStop } from "./oracle/oracle.ts";
import { readTrace } from "./oracle/strace.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { Shell, ShellName } from "./sandbox/shells.ts";

/** Runs one script of a file, which the second check must let pass, and tells all that is known of it. */
export async function tellOne(
  file: string,
  name: ShellName,
  sandbox: Sandbox,
  shells: readonly Shell[],
): Promise<number> {
  const shell = shells.find((one) => one.name === name);
  if (!shell) return 1;
  const text = readFileSync(file, "utf8");
  const { scripts, trace } = await sandbox.run(shell, [text]);
  const [ran] = scripts;
  const seen = readTrace(trace).get(ran?.name ?? "") ?? { touches: [], ended: [] };
  const { facts, outcome } = new Judge().judge(text, name);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`${name} ended with ${ran?.status}${ran?.errors ? `, saying ${ran.errors.trim()}` : ""}`);
  for (const { kind, path, done } of seen.touches) say(`touched: ${kind} ${path}${done ? "" : " (failed)"}`);
  say(`the engine: ${facts.understanding}, ${outcome()}${facts.unseen ? ", runs code that nobody saw" : ""}`);
  for (const { reason } of facts.doubts) say(`doubt: ${reason}`);
  for (const [kind, list] of Object.entries(facts.effects ?? {}))
    for (const effect of list) say(`effect: ${kind} ${shown(effect)}`);
  const faults = faultsOf(facts, {
    trace: seen,
    unfinished: false,
    errors: ran?.errors ?? "",
    shell: name,
    stops: mayStop(text),
  });
  for (const fault of faults) say(`fault: ${fault.rule}: ${fault.kind} ${fault.place}`);
  say(`${faults.length === 0 ? 1 : 0} passed, ${faults.length === 0 ? 0 : 1} failed`);
  return faults.length === 0 ? 0 : 1;
}

function shown(effect: EffectBase & { readonly path?: PathValue; readonly target?: unknown }): string {
  const { path, target, certain, via } = effect;
  const what = path
    ? shownPath(path, "lexical")
    : typeof target === "string"
      ? target
      : target === undefined
        ? ""
        : shownText(target as never);
  return `${what} by ${via}${certain ? ", certain" : ""}`;
}
