import type { Declarations } from "../schema/declarations.ts";
import type { FactSet } from "../schema/facts.ts";
import type { AuditBody, Decision, RecordedTree } from "../schema/generated.ts";
import type { JudgedEvent } from "../schema/judged-event.ts";
import type { FileSystem, ProgramAnswer, ProgramRequest, RegexEngine } from "../schema/ports.ts";
import type { SessionView } from "../schema/session.ts";
import type { KnownMessages } from "./known-messages.ts";

/** The adapter that an event came through, and the version of its host where the adapter knows it. */
export interface Caller {
  readonly adapter?: string;
  readonly host_version?: string;
  /** True where the host itself shows the call that it asks about: a question then has no `call`. */
  readonly shows_call?: boolean;
}

/** Ports for deciding. Nothing here can see a clock. */
export interface DecidePorts {
  /** `declared` are the programs and tools that the plan declares: facts differ with them. */
  factsOf(event: JudgedEvent, files: FileSystem, share?: number, declared?: Declarations): FactSet;
  /** Returns the file system for an event's paths: the live one of an adapter, or the files in the event. */
  filesOf(listed: Readonly<Record<string, unknown>> | undefined): FileSystem;
  /** The session as the event sees it; deciding never changes it. */
  sessionOf(event: JudgedEvent): SessionView;
  readonly regex: RegexEngine;
  readonly tables: Readonly<Record<string, string>>;
  readonly engine: string;
  /** Through what the event came, as its record names it. */
  readonly caller?: Caller;
  /** The install key: with the session id it keys redaction tokens and boundaries. Empty when there is none. */
  readonly sessionKey: string;
  /** Conversations of earlier events, so that results about a message are reused at later turns. */
  readonly messages?: KnownMessages;
  /** Makes brief records (`briefRecord`), for callers that keep none: only what a session and a comparison of answers read. */
  readonly brief?: "digest" | "no digest";
  /** Answers of programs, by the key of their request: recorded observations, or those of a run just made. */
  readonly answers: ReadonlyMap<string, ProgramAnswer>;
  /** Answers of the disk about folders, as recorded, for judging again. */
  readonly trees?: ReadonlyMap<string, RecordedTree>;
}

/** A decision and the body of its audit record: same plan, event, state and observations give the same bytes. */
export interface Judgement {
  readonly decision: Decision;
  readonly body: AuditBody;
  /** Programs that must be run first: the decision is closed until it is made again with their answers. */
  readonly requests: readonly ProgramRequest[];
  /** Programs to start once the decision is recorded, without waiting for them. */
  readonly background: readonly ProgramRequest[];
  /** True if the content of a folder of the call was requested, but neither a disk nor a record has it. */
  readonly unseen: boolean;
}
