import type { AttackGroup } from "./row.ts";

const file = "test/adapters/install/place-attacks.heavy.test.ts";
const installs = "test/adapters/install/place.heavy.test.ts";
const intact = "the place as it was installed allows one call and denies another";
const host = "the line that `install` wrote, and its place";

/** What somebody does to the files that a hook runs from, and to the folders round them. */
export const placeAttacks: readonly AttackGroup[] = [
  {
    class: "place",
    host,
    control: intact,
    guarded: "every call is refused, with the next step",
    file,
    attacks: [
      "the program is another file",
      "the program is written in place",
      "the program is gone",
      "the program is a link to the same bytes",
      "the program has another time",
      "the program may be written by the group",
      "the program may be written by others",
      "the launcher has a line more",
      "the launcher has another time",
      "the compiler is another file",
      "what runs programs is another file",
      "a pack is written in place",
      "a file more lies beside the launcher",
      "a file more lies in the place",
      "identity is gone",
      "identity says nothing",
      "identity says something else",
      "identity may be written by others",
      "the folder may be written by others",
      "the folder above may be written by others",
      "the home may be written by others",
    ].map((one) => [one, one] as const),
  },
  {
    class: "place",
    host,
    control: intact,
    guarded: "every call is refused, and the foreign file does not run",
    file,
    attacks: [
      ["a file of the place belongs to another user", "%s belongs to another user: every call is %s"],
      [
        "the addon for regular expressions is another file",
        "the addon is another file: every call is refused, and the file does not run",
      ],
      [
        "the launcher is another file",
        "a launcher or a Node that is not what was installed is not even started by the client",
      ],
      ["the linked Node is another file", "a Node in place of the linked one is not even started by the client"],
      [
        "the Node is another file, a link or another Node",
        "the Node is another file, a link or another Node: every call that a good Node judges is refused",
      ],
      [
        "the module of a host whose guard is in its process was changed",
        "the module of another host was changed: that for %s refuses every call",
      ],
      [
        "the program was changed, at a result",
        "withholds a result in the form of the host, where the program is as it was",
      ],
    ],
  },
  {
    class: "place",
    host,
    control: "size, times, mode and inode are as they were, and so no hook sees it",
    guarded: "`doctor` compares digests and names the file, and `install` heals it",
    file,
    attacks: [
      ["digests written anew", "digests were written anew: doctor says so"],
      [
        "bytes changed under the same size and times",
        "bytes that change and leave every time and size as it was: doctor names the file, and install heals it",
      ],
    ],
  },
  {
    class: "place",
    host: "the built hook and command line in a project",
    control: "the packages are bait that bites: run by themselves, each leaves its mark",
    guarded: "nothing is resolved from the project, and the call is refused",
    file: "test/adapters/install/hoisted.test.ts",
    attacks: [
      [
        "packages of the names that a hook loads, in the project's `node_modules`: a pattern, and the compiler",
        "a pattern is looked for, and a policy compiled, without any of them (in %s)",
      ],
      ["the same, for the program of a rule", "the program of a rule runs without any of them (in %s)"],
    ],
  },
  {
    class: "place",
    host: "`hookwarden install`",
    control: "the same install into a home of its own succeeds",
    guarded: "refused with the next step, and nothing is wired",
    file: installs,
    attacks: [
      "a file stands where the folder would be",
      "others may write to the folder of places",
      "others may write above it",
      "a link leads to a folder that others may write to",
    ].map((one) => [one, one] as const),
  },
  {
    class: "place",
    host: "`hookwarden install`",
    control: "files that were left would be taken for a place",
    guarded: "what is whole stays, what is not is cleared away",
    file: installs,
    attacks: [
      ["several installs at once", "of several at once leaves one whole place and nothing else"],
      ["an install that was ended", "clears away what an install that was ended has left"],
    ],
  },
];
