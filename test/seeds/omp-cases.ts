import { testOf } from "./requirement.ts";

/** Cases of the real omp, by what they ask. */
export const onOmp = {
  /** Its hook subsystem by itself, which the seeds describe: loader, runner, wrapper, exports. */
  hooks: testOf("test/hosts/seed-omp/subsystem.ts"),
  /** Its program with hook modules: runs, turns, messages and context. */
  agent: testOf("test/hosts/seed-omp/agent.ts"),
  /** Calls and results in its program. */
  tools: testOf("test/hosts/seed-omp/tools.ts"),
  /** Sessions, branches, compaction and the tree in its program. */
  sessions: testOf("test/hosts/seed-omp/sessions.ts"),
  /** Commands, messages, entries and dialogs in its program. */
  actions: testOf("test/hosts/seed-omp/actions.ts"),
  /** What the seeds' examples do, in its program. */
  examples: testOf("test/hosts/seed-omp/examples.ts"),
  /** Its program in print mode: folders of modules, broken modules, no screen. */
  headless: testOf("test/hosts/seed-omp/headless.ts"),
  /** A human at its own terminal. */
  terminal: testOf("test/hosts/seed-omp/terminal.ts"),
};
