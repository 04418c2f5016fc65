import { changes, loop, payloads, type Requirement, requirements, sessionEvents } from "./requirement.ts";

const seed = "pi-hook-reference";

/** Sessions, models and resources. */
export const piSessionRequirements: readonly Requirement[] = [
  ...requirements(seed, "5 session_start", [
    [
      "pi-session-start-load",
      "fires when the session is first loaded",
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "pi-session-start-change",
      "fires after a switch and after a fork",
      changes("a switch: before, the host's work, after, then session_start; the target only for resume"),
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
    ],
    [
      "pi-session-start-reload",
      "fires after a reload",
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "pi-session-start-restore",
      "a handler can restore its state from the entries of the branch",
      payloads("state is restored from the session: getBranch gives the whole history"),
    ],
  ]),
  ...requirements(seed, "5 session_before_switch, session_switch", [
    [
      "pi-switch-when",
      "one fires before and one after a new or resumed session",
      changes("a switch: before, the host's work, after, then session_start; the target only for resume"),
    ],
    [
      "pi-switch-payload",
      "carries why, and the target file for a resume only",
      changes("a switch: before, the host's work, after, then session_start; the target only for resume"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-switch-cancel",
      "`cancel: true` prevents it",
      changes("cancel in %s: the host does nothing and no event follows"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
    ],
  ]),
  ...requirements(seed, "5 session_before_fork, session_fork", [
    [
      "pi-fork-when",
      "one fires before and one after a fork",
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
    ],
    [
      "pi-fork-payload",
      "carries the entry that is forked from",
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-fork-cancel",
      "`cancel: true` prevents it",
      changes("cancel in %s: the host does nothing and no event follows"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
    ],
    [
      "pi-fork-skip",
      "`skipConversationRestore` forks without the messages",
      sessionEvents("session_before_fork may skip the restoring of messages (pi-hook-reference section 5)"),
      changes("a fork: the host's own event names, the entry, skipConversationRestore, then session_start"),
    ],
  ]),
  ...requirements(seed, "5 session_before_compact, session_compact", [
    [
      "pi-compact-when",
      "one fires before and one after compaction, by the human or automatic",
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
    ],
    [
      "pi-compact-payload",
      "carries the preparation, the branch's entries, custom instructions and a signal",
      changes("compaction: its payload, then session.compacting, the host's work and session_compact"),
      payloads("session_before_tree and session_before_compact pass the host's own signal"),
    ],
    [
      "pi-compact-cancel",
      "`cancel: true` prevents it",
      changes("cancel in %s: the host does nothing and no event follows"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
    ],
    [
      "pi-compact-own",
      "a handler may give the compaction: summary, first kept entry, tokens before",
      changes("a compaction that a handler gives stands in place of the model's"),
      sessionEvents("session_before_*: the latest result is kept (omp-hooks, Runtime handler order)"),
    ],
  ]),
  ...requirements(seed, "5 session_before_tree, session_tree", [
    [
      "pi-tree-when",
      "one fires before and one after a move in the tree",
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
    [
      "pi-tree-payload",
      "carries the preparation and a signal",
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
      payloads("session_before_tree and session_before_compact pass the host's own signal"),
    ],
    [
      "pi-tree-cancel",
      "`cancel: true` prevents it",
      changes("cancel in %s: the host does nothing and no event follows"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
    ],
    [
      "pi-tree-summary",
      "a handler may give a summary of the branch that is left, and a label",
      sessionEvents("session_before_tree may give a summary and a label (pi-hook-reference section 5)"),
      changes("a tree move: summary and label of a handler, then session_tree with both leaves"),
    ],
  ]),
  ...requirements(seed, "5 session_shutdown", [
    [
      "pi-shutdown-when",
      "fires when the process is about to exit",
      changes("session_start at startup and after a reload, session_shutdown at the end"),
    ],
    [
      "pi-shutdown-by-handler",
      "a handler may ask for the exit",
      payloads("shutdown, abort, the model and whether the agent is idle come from the host"),
    ],
  ]),
  ...requirements(seed, "6 model_select", [
    [
      "pi-model-payload",
      "carries the new model and the one before, if there was one",
      payloads("%s, %s: every field of the seed"),
    ],
    ["pi-model-source", "says whether it was set, cycled to or restored", payloads("%s, %s: every field of the seed")],
  ]),
  ...requirements(seed, "7 resources_discover", [
    [
      "pi-resources-when",
      "fires at startup and after a reload, and says which",
      changes("are asked for at startup and after a reload, and the host loads what was found"),
    ],
    [
      "pi-resources-payload",
      "carries the folder and the reason",
      changes("are asked for at startup and after a reload, and the host loads what was found"),
      payloads("%s, %s: every field of the seed"),
    ],
    [
      "pi-resources-answer",
      "a handler may give paths of skills, prompts and themes",
      sessionEvents("paths accumulate, and garbage is left out"),
      changes("are asked for at startup and after a reload, and the host loads what was found"),
    ],
    [
      "pi-resources-loaded",
      "the host loads the paths that were found",
      changes("are asked for at startup and after a reload, and the host loads what was found"),
    ],
    [
      "pi-resources-prompt",
      "the system prompt is built anew after that",
      loop("the base prompt is asked for anew in each run, so that loaded resources are in it"),
    ],
  ]),
];
