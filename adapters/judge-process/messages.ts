import type { Caller, Engine } from "../../runtime.ts";
import type { AuditBody, Decision } from "../../schema/generated.ts";
import type { Durability } from "../../store/audit-file.ts";
import type { SessionName } from "../pi/judge.ts";

/**
 * Messages between a guard and its judge process: one JSON text per line, processed in order. Only plain data is sent
 * (`plainCopy`), so that the judged data equals the given data.
 */

type Plan = NonNullable<Engine["plan"]>;

/** Settings of a judge process; sent first, and again to each process that replaces another. */
export interface Setup {
  /** The user's state folder: install key, labels of files. */
  readonly state: string;
  /** Folder of the sessions, which are the audit trail; undefined keeps sessions in the process alone, without a record. */
  readonly sessions: string | undefined;
  /** File that also gets every record. */
  readonly copy?: string;
  readonly durability?: Durability;
  /** Key of tokens for sessions without a record. */
  readonly sessionKey?: string;
  /** Folder whose programs need a digest, besides the workspace of each event. */
  readonly workspace?: string;
  /** Variables of the guard's own process: for the values that rules name, and for programs. */
  readonly variables: Readonly<Record<string, string>>;
  readonly caller: Caller;
  /** Maximum milliseconds for the program of a rule, if the host has a time limit. */
  readonly programs?: number;
}

/** Returns the variables that are set. */
export function variablesOf(all: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A conversation as a change of its session's last one: the first `kept` messages are the same, `fresh` follow. */
export interface Grown {
  readonly kept: number;
  readonly fresh: readonly unknown[];
}

/** Message of a guard. Those with an `id` are answered. `engine` is the number of one of the guard's engines, made before. */
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

/** Message of a judge process. `fault` says why it has no answer. */
export type FromJudge =
  | {
      readonly id: number;
      readonly decision: Decision;
      /** Names of changes that are undefined, to remove a field, which JSON cannot express. */
      readonly absent?: readonly string[];
      /** `changes.messages`: a number is the index of a message that stays as it was sent. */
      readonly messages?: readonly (number | { readonly new: unknown })[];
    }
  | { readonly id: number; readonly done: boolean }
  | { readonly id: number; readonly fault: string }
  /** A program of a rule runs, for at most so many milliseconds. */
  | { readonly waits: number };

/** Maximum number of sessions whose last conversation both ends remember; few sessions of a process are active at a time. */
const rememberedSessions = 4;

/**
 * The last conversation of each session, kept by both ends. A host passes the whole conversation before every turn; messages
 * of the turn before are not sent again. Both ends see the same sessions in the same order, so they forget the same ones.
 */
export class LastConversations {
  readonly #sessions = new Map<string, readonly unknown[]>();

  /** For the sender: finds the new messages. A message is unchanged if it is the identical value, since nobody mutates them. */
  grown(session: string, messages: readonly unknown[]): Grown {
    const before = this.#sessions.get(session) ?? [];
    let kept = 0;
    while (kept < messages.length && kept < before.length && messages[kept] === before[kept]) kept++;
    this.#keep(session, messages);
    return { kept, fresh: messages.slice(kept) };
  }

  /** For the receiver: rebuilds the conversation. `taken` converts each new message to the value that is kept. */
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

/** Makes a consumer of text pieces that calls `each` with every whole line. A line in many pieces is joined once. */
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
