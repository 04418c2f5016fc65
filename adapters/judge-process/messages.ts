import type { Caller, Engine } from "../../runtime.ts";
import type { AuditBody, Decision } from "../../schema/generated.ts";
import type { Durability } from "../../store/audit-file.ts";
import type { SessionName } from "../pi/judge.ts";

/**
 * What a guard and its judge process say to each other: one JSON text a line, in the order in which it is meant. Only plain
 * data goes (`plainCopy`), so that what is judged is what was given.
 */

type Plan = NonNullable<Engine["plan"]>;

/** What a judge process judges with; said first, and again to each process that takes the place of another. */
export interface Setup {
  /** The user's state folder: install key, labels of files. */
  readonly state: string;
  /** Folder of the sessions, which are the audit trail; undefined keeps sessions in the process alone, without a record. */
  readonly sessions: string | undefined;
  /** A file that gets every record too. */
  readonly copy?: string;
  readonly durability?: Durability;
  /** Key of tokens for sessions without a record. */
  readonly sessionKey?: string;
  /** Folder whose programs need a digest, beside the workspace of each event. */
  readonly workspace?: string;
  /** The variables of the guard's own process: values that rules name, and what programs are given. */
  readonly variables: Readonly<Record<string, string>>;
  readonly caller: Caller;
  /** Milliseconds that the program of a rule may take, where the host does not wait for longer. */
  readonly programs?: number;
}

/** The variables of a process that are set. */
export function variablesOf(all: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A conversation as the last one of its session, and what is new: the messages before `kept` are the same. */
export interface Grown {
  readonly kept: number;
  readonly fresh: readonly unknown[];
}

/** What a guard says. Messages with an `id` are answered. `engine` names an engine of the guard, which is made first. */
export type ToJudge =
  | { readonly op: "setup"; readonly setup: Setup }
  | { readonly op: "engine"; readonly engine: number; readonly plan: Plan; readonly before?: number }
  | { readonly op: "caller"; readonly caller: Caller }
  | {
      readonly op: "judge";
      readonly id: number;
      readonly engine: number;
      /** The event, without its messages. */
      readonly event: unknown;
      readonly messages?: Grown;
    }
  | {
      readonly op: "answer";
      readonly id: number;
      readonly engine: number;
      readonly answer: Parameters<Engine["answer"]>[0];
    }
  | {
      readonly op: "record";
      readonly id: number;
      readonly engine: number;
      readonly session: SessionName;
      readonly body: AuditBody;
    }
  | { readonly op: "end"; readonly engine: number; readonly session: string };

/** What a judge process says. `fault` says why it has no answer. */
export type FromJudge =
  | {
      readonly id: number;
      readonly decision: Decision;
      /** Changes that take a field away, which JSON cannot say. */
      readonly absent?: readonly string[];
      /** `changes.messages`: a number is the place of a message that stays as it was sent. */
      readonly messages?: readonly (number | { readonly new: unknown })[];
    }
  | { readonly id: number; readonly done: boolean }
  | { readonly id: number; readonly fault: string }
  /** A program of a rule runs, for so many milliseconds at most. */
  | { readonly waits: number };

/** Sessions whose last conversation both ends know; of a process's sessions, few speak at a time. */
const rememberedSessions = 4;

/**
 * The last conversation of each session, as both ends have it. A host shows the whole of one before every turn: what stood
 * there the turn before is not sent again. Both ends call with the same sessions in the same order, so they forget alike.
 */
export class LastConversations {
  readonly #sessions = new Map<string, readonly unknown[]>();

  /** For who sends: a message is the same if it is the same value, which nobody changes. */
  grown(session: string, messages: readonly unknown[]): Grown {
    const before = this.#sessions.get(session) ?? [];
    let kept = 0;
    while (kept < messages.length && kept < before.length && messages[kept] === before[kept]) kept++;
    this.#keep(session, messages);
    return { kept, fresh: messages.slice(kept) };
  }

  /** For who receives: `taken` makes of a new message what is kept. */
  whole(session: string, { kept, fresh }: Grown, taken: (message: unknown) => unknown): readonly unknown[] {
    const before = this.#sessions.get(session) ?? [];
    if (kept > before.length) throw new Error("a conversation goes on from one that is not known");
    const messages = [...before.slice(0, kept), ...fresh.map(taken)];
    this.#keep(session, messages);
    return messages;
  }

  #keep(session: string, messages: readonly unknown[]): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, messages);
    if (this.#sessions.size > rememberedSessions) this.#sessions.delete(this.#sessions.keys().next().value as string);
  }
}

/** Calls `each` with every line of a stream of text. What comes in many pieces is put together once. */
export function lines(each: (line: string) => void): (piece: string) => void {
  let pieces: string[] = [];
  return (piece) => {
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      pieces.push(piece.slice(from, end));
      const line = pieces.length === 1 ? (pieces[0] as string) : pieces.join("");
      pieces = [];
      from = end + 1;
      each(line);
    }
    if (from < piece.length) pieces.push(piece.slice(from));
  };
}
