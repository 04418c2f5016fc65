import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf } from "../../authoring/replay/change.ts";
import { compile } from "../../compiler/compile.ts";
import { decide } from "../../engine/decide.ts";
import type { DecidePorts } from "../../engine/judgement.ts";
import { type LinkedPlan, linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { keepingEvents } from "../../engine/replay.ts";
import { SessionState, sessionRules } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { vocabularyFor } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { policyFile } from "../literate/policies.ts";
import type { Wire } from "../properties/language/events.ts";
import { randomPolicies, yamlOf } from "../properties/language/policies.ts";
import { Random } from "../properties/language/random.ts";
import { randomSteps } from "../properties/language/session-events.ts";
import "../properties/seed.ts";

/** A brief record says of an answer and of a session what the whole one says, and nothing reads more than that of it. */
const regex = createRegexEngine();

const quoting = `version: 1
policy: quoting
labels: { seen: { kind: taint } }
rules:
  - { id: quoted, event: [tool_call, user_bash], tool: bash, each: { c: shell.commands }, when: { c.program: [git, grep] }, action: block, reason: "{c.text} in {environment.cwd}" }
  - { id: asked, event: tool_call, tool: [read, write], action: { ask: { remember: session, clears: [seen] } }, reason: "{args.path}" }
  - { id: label, event: tool_call, tool: fetch, action: { label: { add: [seen] } } }
  - { id: hidden, event: [tool_call, user_bash], tool: "*", action: { redact: { detectors: ["secrets/*"] } } }
  - { id: told, event: tool_call, tool: grep, action: [{ inject: { content: "turn {session.turn}", once: turn } }] }
  - { id: late, event: tool_call, tool: bash, sequence: { after: [{ tool: fetch }], within: { calls: 5 }, executed: true }, action: ask, reason: after a fetch }
`;

const secret = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

function portsOf(state: SessionState, brief?: DecidePorts["brief"]): DecidePorts {
  return {
    factsOf: (event, files, share, declared) => facts.of(event, files, share, declared),
    filesOf: hermeticFiles,
    regex,
    tables: facts.versions,
    engine: "0",
    sessionKey: "key",
    sessionOf: (event) => state.view(event),
    answers: new Map(),
    ...(brief && { brief }),
  };
}

function linked(seed: number): LinkedPlan | undefined {
  const files = randomPolicies(new Random(seed)).map(({ scope, data }, i) => ({
    ...policyFile(yamlOf(data), `p${i}.yaml`),
    scope,
  }));
  const { plan } = compile({ files: [...files, policyFile(quoting, "quoting.yaml")], regex });
  const made = plan && linkPlan(keepingEvents(plan as Plan), vocabularyFor(regex), regex);
  if (made instanceof EvaluationError) throw new Error(made.message);
  return made;
}

/** Some commands hold a secret, in the text that a reason quotes or elsewhere. */
function withSecret(wire: Wire, random: Random): Wire {
  const args = wire["args"];
  if (typeof args !== "object" || args === null || !random.chance(0.3)) return wire;
  const command = (args as Record<string, unknown>)["command"];
  const shown = random.chance(0.5) && typeof command === "string";
  return { ...wire, args: shown ? { ...args, command: `${command} ${secret}` } : { ...args, extra: secret } };
}

const compared = ({ event, id, session, agent, tool, call_id, state }: AuditBody) => ({
  event,
  id,
  session,
  agent,
  tool,
  call_id,
  state,
});

describe("a brief record", () => {
  it.each(["digest", "no digest"] as const)(
    "says of answer and session what the whole one says, with %s, for generated policies and sessions",
    (brief) => {
      let judged = 0;
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const plan = linked(seed);
          if (!plan) return;
          const random = new Random(seed + 1);
          const [whole, short] = [0, 1].map(() => new SessionState(sessionRules(plan.plan))) as [
            SessionState,
            SessionState,
          ];
          for (const step of randomSteps(random, 20)) {
            if (!("event" in step)) continue;
            const wire = withSecret(step.event, random);
            const before = decide(plan, wire, portsOf(whole));
            const after = decide(plan, wire, portsOf(short, brief));
            expect(after.decision).toEqual(before.decision);
            expect(answerOf(after.body)).toEqual(answerOf(before.body));
            expect(compared(after.body)).toEqual(compared(before.body));
            const digest = brief === "digest" || before.body.session === "" ? before.body.event_digest : "";
            expect(after.body.event_digest).toBe(digest);
            whole.fold(before.body);
            short.fold(after.body);
            expect(dataOf(short)).toEqual(dataOf(whole));
            judged++;
          }
        }),
        { numRuns: 60 },
      );
      expect(judged).toBeGreaterThan(300);
    },
  );
});

/** What a state knows of the sessions of generated steps; digests of calls are only read when a record is made. */
function dataOf(state: SessionState): unknown {
  return ["s1", "s2"].map((id) => {
    const data = state.data(id);
    return data && { ...data, calls: data.calls.map(({ digest: _digest, ...call }) => call) };
  });
}
