import type { AttackGroup } from "./row.ts";

const file = "test/audit/trail-attacks.test.ts";

/** What somebody does to the audit trail afterwards, and to the locks that it is written under. */
export const trailAttacks: readonly AttackGroup[] = [
  {
    class: "trail",
    host: "`audit verify` and the independent verifier",
    control: "the trail that nobody changed is intact",
    guarded: "altered, by both",
    file,
    attacks: [
      "the log of checkpoints replaced by a segment",
      "the log of checkpoints without its beginning",
      "the log of checkpoints a folder",
      "the log of checkpoints a link to nowhere",
      "the log of checkpoints removed",
      "the log of checkpoints of another installation",
      "records cut off that a checkpoint covers",
      "an outcome changed",
      "two records swapped",
      "a segment a folder",
      "a session a file",
      "a session removed",
      "everything of another installation",
    ].map((one) => [one, one] as const),
  },
  {
    class: "trail",
    host: "`audit verify` and the independent verifier",
    control: "the trail that nobody changed is intact",
    guarded: "cannot be checked, by both",
    file,
    attacks: [["an empty log of checkpoints", "is seen by both where nothing is left of the log of checkpoints"]],
  },
  {
    class: "trail",
    host: "`audit verify` and the independent verifier",
    control: "no name stands in a trail that no trail has",
    guarded: "named, by both",
    file,
    attacks: [
      "a segment with the number 0",
      "a segment with another form of its number",
      "a packed segment beside the same one",
      "a file that is called like a segment in the audit folder",
      "a session without a segment",
      "a segment that is a link",
      "a session that is a link",
    ].map((one) => [one, one] as const),
  },
  {
    class: "trail",
    host: "`audit verify` and the independent verifier",
    control: "a generator of changes in bytes, records, order, seals, folders and keys",
    guarded: "the same verdict by both, and no other content is intact",
    file: "test/audit/mutants.heavy.test.ts",
    attacks: [
      ["thousands of changed trails", "are judged alike by both verifiers, and none with other content is intact"],
    ],
  },
  {
    class: "trail",
    host: "every host",
    control: "the process that had the lock is killed, and the lock stays",
    guarded: "taken over by one at a time",
    file: "test/store/lock-dead-owner.test.ts",
    attacks: [
      ["a lock of a process that was killed", "is taken over by the next one that wants it"],
      [
        "several that want such a lock at once",
        "is taken over by one at a time of several that want it at once (round %i)",
      ],
    ],
  },
];
