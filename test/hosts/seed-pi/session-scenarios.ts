import type { Answers, Hands, HostEvent } from "./pi-api.ts";
import { resources } from "./prompt-scenarios.ts";

const cancel = { cancel: true };

/** Moves to the first message of the human, with a summary. */
async function toFirst(_event: HostEvent, { ctx, note }: Hands): Promise<void> {
  const first = ctx.sessionManager?.getBranch().find(({ type }) => type === "message");
  note({ type: "moved", result: await ctx.navigateTree?.(first?.id ?? "", { summarize: true }) });
}

/** Answers that compaction gets in place of the model's. */
const ownSummary = (event: HostEvent): object => {
  const { firstKeptEntryId, tokensBefore } = event["preparation"] as Record<string, unknown>;
  return { compaction: { summary: "the summary of the handler", firstKeptEntryId, tokensBefore } };
};

/** Sessions, models and resources. */
export const sessionScenarios: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  remember: { a: { command: (_event, { pi }) => pi.appendEntry("seed-state", { remembered: 7 }) } },
  reload: {
    a: {
      ...resources["a"],
      command: (_event, { ctx }) => ctx.reload?.(),
      session_start: (_event, { ctx, note }) => {
        const entries = ctx.sessionManager?.getBranch() ?? [];
        note({ type: "restored", states: entries.filter((entry) => entry["customType"] === "seed-state") });
      },
    },
  },
  "no switch": { a: { session_before_switch: () => cancel } },
  "no fork": { a: { session_before_fork: () => cancel } },
  "fork without messages": { a: { session_before_fork: () => ({ skipConversationRestore: true }) } },
  "no compaction": { a: { session_before_compact: () => cancel } },
  "own compaction": { a: { session_before_compact: ownSummary } },
  "no move": { a: { session_before_tree: () => cancel, command: toFirst } },
  "a move with a summary": {
    a: {
      session_before_tree: () => ({ summary: { summary: "the summary of the branch" }, label: "seed-label" }),
      command: toFirst,
    },
  },
  quit: { a: { command: (_event, { ctx }) => ctx.shutdown?.() } },
};
