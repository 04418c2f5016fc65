import { describe, expect, it } from "vitest";
import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import { type Dialect, type HookReply, noGrant, type Payload } from "../../../adapters/one-shot/dialect.ts";
import { dialects } from "../../../adapters/one-shot/registry.ts";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { payloadForms } from "../../attacks/payloads.ts";
import { policyFile, withHead } from "../../literate/policies.ts";

/** A record says how far a host was given what was decided. It is held against the reply that the host really gets. */
const policy = withHead(`
  - { id: hide, event: tool_result, when: "result.text.contains('KEY')", action: { redact: { patterns: [{ name: k, regex: "KEY-[0-9]+" }] } } }
  - { id: tell, event: tool_result, when: "result.text.contains('note')", action: { inject: { content: MIND-THE-GAP, as: append } } }
  - { id: ask, event: tool_call, when: { args.command: touch asked }, action: ask, reason: REALLY }
  - { id: block, event: tool_call, when: { args.command: touch never }, action: block, reason: NEVER-THIS }
  - { id: set, event: tool_call, when: { args.command: touch old }, action: { modify: { set: { command: touch NEW-NAME } } } }
`);

const engine = (() => {
  const { plan, diagnostics } = compile({ files: [policyFile(policy)] });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return createEngine(plan);
})();

interface Told {
  readonly reply: HookReply;
  readonly said: string;
  readonly delivered: NonNullable<AuditBody["on_host"]>["delivered"] | undefined;
}

function told(dialect: Dialect, payload: Payload): Told {
  const call = dialect.read(payload);
  if (call === "ignored" || "unreadable" in call) throw new Error(`not a call: ${JSON.stringify(call)}`);
  const { decision, body } = engine.decide({
    ...{ event: call.event, host: dialect.host, session: { id: call.session }, ...call.payload },
    environment: { cwd: "/w", home: "/home/dev", interactive: call.interactive },
  });
  const reply = dialect.reply(call, decision, noGrant);
  return { reply, said: reply.stdout + reply.stderr, delivered: body?.on_host?.delivered };
}

const shell = (host: string, command: string): Payload => canaryForms[host]?.payload(command, "/w") as Payload;
const all = Object.entries(dialects);
const results = all.filter(([host]) => payloadForms[host]?.result !== undefined);
const result = (host: string, text: string): Payload => payloadForms[host]?.result?.(text, "/w") as Payload;

describe("what a record says of its host is what the reply carries", () => {
  it.each(all)("%s: a refusal in full", (host, dialect) => {
    const { said, delivered } = told(dialect, shell(host, "touch never"));
    expect([delivered, said.includes("NEVER-THIS")]).toEqual(["full", true]);
  });

  it.each(all)("%s: a question, as a question or as a refusal", (host, dialect) => {
    const { said, reply, delivered } = told(dialect, shell(host, "touch asked"));
    const isQuestion = /"(?:permission(?:Decision)?|decision)":"ask"/.test(said) && reply.exitCode === 0;
    expect(said).toContain("REALLY");
    expect(delivered).toBe(isQuestion ? "full" : "weaker");
  });

  it.each(all)("%s: other arguments, or a refusal in their place", (host, dialect) => {
    const { said, delivered } = told(dialect, shell(host, "touch old"));
    const isCarried = said.includes("touch NEW-NAME");
    expect(delivered === "no").toBe(!isCarried);
    if (!isCarried) expect(said).toContain("this host can take it only as it is");
  });

  it.each(results)("%s: a result without its key, or that it is shown", (host, dialect) => {
    const { said, delivered } = told(dialect, result(host, "the KEY-12345 of it"));
    const isCarried = said.includes("of it") && !said.includes("KEY-12345");
    expect(delivered === "no").toBe(!isCarried);
  });

  it.each(results)("%s: a text beside a result, or that it is lost", (host, dialect) => {
    const { said, delivered } = told(dialect, result(host, "a note"));
    expect(delivered === "no").toBe(!said.includes("MIND-THE-GAP"));
  });
});
