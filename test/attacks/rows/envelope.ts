import { envelopeFaults, envelopeHosts } from "../../adapters/one-shot/envelope-faults.ts";
import { type CarriedCase, callsInCalls, shellForms, toldTexts } from "../../engine/carried-calls.ts";
import type { AttackGroup } from "./row.ts";

const envelopes = "test/adapters/one-shot/envelope.test.ts";
const calls = "test/engine/carried-calls.test.ts";

/** Titles of the tests that carry the faults out, by what must become of them. */
const titles = {
  refused: "is refused in its own form, without being judged: %s",
  judged: "is judged as the call that it is: %s",
} as const;

/** The kinds of faults of one host that must come to one answer, with how many payloads have each. */
function kindsOf(host: string, answer: keyof typeof titles): AttackGroup["attacks"] {
  const faults = envelopeFaults.filter((one) => one.host === host && one.answer === answer);
  const count = (kind: string): number => faults.filter((one) => one.kind === kind).length;
  const kinds = [...new Set(faults.map(({ kind }) => kind))];
  return kinds.map((kind) => [`${kind}, ${answer} (${count(kind)} payloads)`, titles[answer]]);
}

/** Every host with every kind of fault of its envelope. */
const byHost: readonly AttackGroup[] = envelopeHosts.flatMap((host) =>
  (["refused", "judged"] as const).map((answer) => ({
    class: "envelope" as const,
    host,
    control: "the same payload without the fault is judged, and let through",
    guarded: answer === "refused" ? "refused in the host's own form, and nothing of it is judged" : "judged as a call",
    file: envelopes,
    attacks: kindsOf(host, answer),
  })),
);

const told = (cases: readonly CarriedCase[], control: string): AttackGroup => ({
  class: "envelope",
  host: "every host",
  control,
  guarded: "judged by the rules of the tool that really runs, and refused",
  file: calls,
  attacks: cases.map(({ tool, about }) => [`\`${tool}\`: ${about}`, "%s, %s: is judged, and a harmless one passes"]),
});

const harmless = "a harmless command in its place passes";

/** Payloads that two readers could take for two calls, and calls that do not say what they run. */
export const envelopeAttacks: readonly AttackGroup[] = [
  ...byHost.filter(({ attacks }) => attacks.length > 0),
  told(callsInCalls, harmless),
  told(shellForms, harmless),
  told(toldTexts, harmless),
  {
    class: "envelope",
    host: "every host whose hooks are processes",
    control: "the host goes on, and nobody would know",
    guarded: "counted on record, shown by `doctor` and at the beginning of a session",
    file: "test/adapters/one-shot/unjudged-events.test.ts",
    attacks: [
      ["events that no rule can be about", "is answered with nothing where no rule is about it, and counted on record"],
      ["a session after such events", "is told at the beginning of the next session"],
    ],
  },
];
