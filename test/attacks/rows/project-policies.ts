import type { AttackGroup } from "./row.ts";

const hook = "test/adapters/one-shot/hostile-project.heavy.test.ts";

/** What a repository puts into its `.hookwarden/` that nobody has trusted. */
export const policyAttacks: readonly AttackGroup[] = [
  {
    class: "project policies",
    host: "the built hook of Claude Code",
    control: "the same call without the repository is judged, and its processor time is what this one is measured by",
    guarded: "the user's rule refuses, and what has effects is put to the user",
    file: hook,
    attacks: [
      "80 files of 1,000 rules",
      "patterns that are large together",
      "conditions in each other",
      "an alias bomb",
      "a list that every rule repeats",
      "more entries than are looked at",
      "many tiny files",
      "a named pipe",
      "a named pipe one level down",
      "a link to /dev/zero",
      "a link to itself",
      "a folder that leads back to itself",
      "links that lead nowhere",
      "a file with a hole of 8 GB",
      "a link in the place of the folder",
      "a pipe in the place of the folder",
      "an import of a pipe",
      "imports in a row",
    ].map((one) => [one, one] as const),
  },
  {
    class: "project policies",
    host: "the built hook of Claude Code",
    control: "Node's own recursive `mkdir` never returns there",
    guarded: "refused in time",
    file: hook,
    attacks: [["a home on a file system that says a folder is missing", "is refused in time: %s"]],
  },
  {
    class: "project policies",
    host: "every host",
    control: "a project that is taken with the user's own policies can name them",
    guarded: "the plan is that of the user's policies with the bounded project beside them",
    file: "test/compiler/add-project.test.ts",
    attacks: [
      ["the id of the user's policy", "the id of the user's"],
      ["the id of the built-in policy", "the id of the built-in one"],
      ["an exception for the user's rules", "an exception of the project for the user's"],
    ],
  },
  {
    class: "project policies",
    host: "every host",
    control: "a list of files and folders is as long as its author likes",
    guarded: "refused whole, and by the bound that it is over",
    file: "test/store/discover.test.ts",
    attacks: ["entries", "files", "bytes"].map((one) => [`a folder with more ${one} than one may have`, one] as const),
  },
  {
    class: "project policies",
    host: "every host",
    control: "a process is ended at its time-out over the same policies, again and again",
    guarded: "tried once more, then stood in for; a pinned session compiles nothing",
    file: "test/adapters/plan-on-disk.test.ts",
    attacks: [
      [
        "policies of a project over which a hook was ended",
        "are tried once more, and then stood in for, if they are a project's",
      ],
      [
        "policies of the user over which a hook was ended",
        "close the session at once, if they are its user's, until a human has them compiled without hurry",
      ],
    ],
  },
];
