import type { AttackGroup } from "./row.ts";

const file = "test/compiler/untrusted-attacks.test.ts";

/** What a repository's policy tries by what it says, before anybody has trusted it. */
export const untrustedAttacks: readonly AttackGroup[] = [
  {
    class: "untrusted project",
    host: "every host",
    control: "the same policy works once a human has trusted it",
    guarded: "the call, the prompt and the result are as the user's policies alone leave them, or stricter",
    file,
    attacks: [
      "a redaction that makes another command",
      "a redaction before the guards",
      "a redaction that makes a call an allowed one",
      "a redaction of what the user types",
      "words of its own in a result",
      "words of its own as the name of a pattern",
      "a redaction of the prompt",
      "a redaction of the conversation",
      "a redaction that silences the user's warning",
      "arguments set anew",
      "a text for the model",
      "a text for the system prompt",
      "a text beside a result",
      "a result cut short",
      "messages dropped from the conversation",
      "a program of the repository",
      "a message for the human",
      "a label that the user's allow rests on",
      "a label that the user's block is waived by",
      "an answer that clears labels of others",
      "a question that is remembered for others",
      "a question in the words of somebody else",
      "a reason that looks like more lines of ours",
    ].map((one) => [one, one] as const),
  },
  {
    class: "untrusted project",
    host: "every host, beside a policy that a human has trusted",
    control: "the trusted policy refuses the call by itself",
    guarded: "it refuses the call as before",
    file,
    attacks: [
      "a broken file beside a trusted one",
      "the id of a trusted file",
      "an import that gives a trusted file other values",
      "an exception for a trusted file's rules",
    ].map((one) => [one, one] as const),
  },
  {
    class: "untrusted project",
    host: "every host",
    control: "trusted, such a policy masks the record",
    guarded: "the record holds what happened",
    file,
    attacks: [
      [
        "a trail that hides what the policy looks for",
        "thins out nobody's trail: what it looks for is not masked, and what it keeps does not count",
      ],
    ],
  },
  {
    class: "untrusted project",
    host: "every host",
    control: "the same runs by the user's policies alone",
    guarded: "no refusal or question becomes a pass, and no argument changes",
    file: "test/properties/decisions/untrusted.test.ts",
    attacks: [
      [
        "policies made by chance of every action, event and key of the language",
        "turns no refusal or question into a pass, and changes no argument of a call",
      ],
    ],
  },
];
