import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Caller, createEngine, type Engine, type Verdict } from "../../runtime.ts";
import type { HostName } from "../../schema/hosts.ts";
import type { FileSystem, Programs } from "../../schema/ports.ts";
import type { Durability } from "../../store/audit-file.ts";
import { installKey } from "../../store/install-key.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { undeliveredIn } from "../../store/undelivered.ts";
import { liveFiles } from "../live-files.ts";
import { LiveSessions, type SessionJudge } from "../pi/live-sessions.ts";
import { createPrograms } from "../programs.ts";
import { liveSecretValues } from "../secret-values.ts";

/** Options of stored sessions: their location, and the resources for their rules. The real machine is the default. */
export interface StoredSessionsOptions {
  /** The user's state folder: install key, labels of files, and `audit` with the sessions. `$XDG_STATE_HOME/hookwarden` by default. */
  readonly state?: string;
  /** Folder of the sessions, which form the audit trail; `audit` in the state folder by default. */
  readonly folder?: string;
  /** Durability of records where no policy asks for more; `group` by default. */
  readonly durability?: Durability;
  /** Folder whose programs need a digest, besides the workspace of each event; the process's working folder by default. */
  readonly workspace?: string;
  /** Variables that rules may name: values to redact, and the variables of programs. Those of the process by default. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Runs the programs of `run` rules in place of the machine. */
  readonly programs?: Programs;
  readonly files?: FileSystem;
  /** The adapter and the framework's version in records. */
  readonly caller?: Caller;
}

/** An engine whose sessions outlive the process. */
export interface StoredSessions extends Engine {
  /** Saves the state of a session and closes its files; its next event opens it again. Never throws. */
  end(session: string): void;
  /**
   * Reports how many decisions of the host's previous session the framework did not get as decided; undefined if it got all.
   * An application shows this when a session begins, because a framework has no place for it. Never throws.
   */
  undelivered(session: string, host?: HostName): string | undefined;
}

/**
 * Creates an engine for `wrapTools` and the other adapters that keeps each session on disk, by the name in
 * `context.session`. The session's labels, budgets, sequences and approvals last into the next process; labels of files last
 * in every session of the user. Its records form an audit trail that `hookwarden audit` reads. Rules may run programs and
 * name values to redact. A session with unusable state is answered closed (HW515). Without a plan every event is answered
 * closed, as with `createEngine`. Sources: semantics section 5; hosts page others, section 5.
 */
export function openSessions(plan: Engine["plan"], options: StoredSessionsOptions = {}): StoredSessions {
  if (!plan || plan.policies.length === 0)
    return { ...createEngine(plan), end: () => {}, undelivered: () => undefined };
  const { state = stateFolder(process.env), variables = process.env } = options;
  const { folder = join(state, "audit"), workspace = process.cwd(), durability } = options;
  const ports = {
    caller: options.caller ?? { adapter: "frameworks" },
    files: options.files ?? liveFiles,
    clock: { now: () => performance.now() },
    secretValues: liveSecretValues(variables),
    programs: options.programs ?? createPrograms({ workspace, variables }),
  };
  const sessions = new LiveSessions({ folder, state, ...(durability && { durability }) }, (used, held) =>
    createEngine(used, { ...ports, sessionKey: installKey(state).toString("hex"), ...held }),
  );
  return new NamedSessions(sessions.judge(plan), folder);
}

/** Sessions by name. Events without a name belong to a session of this process alone, which no other process can continue. */
class NamedSessions implements StoredSessions {
  readonly active = true;
  readonly plan: Engine["plan"];
  readonly #judge: SessionJudge;
  readonly #folder: string;
  readonly #unnamed = `frameworks-${randomBytes(8).toString("hex")}`;

  constructor(judge: SessionJudge, folder: string) {
    this.plan = judge.plan;
    this.#judge = judge;
    this.#folder = folder;
  }

  decide(event: unknown, answers?: Parameters<Engine["decide"]>[1]): Verdict {
    return this.#judge.decide(this.#named(event), answers);
  }

  judge(event: unknown): Promise<Verdict> {
    return this.#judge.judge(this.#named(event));
  }

  answer(answer: Parameters<Engine["answer"]>[0]): boolean {
    return this.#judge.answer({ ...answer, session: answer.session || this.#unnamed });
  }

  labels(session: string): readonly string[] {
    return this.#judge.labels(session || this.#unnamed);
  }

  end(session: string): void {
    this.#judge.end(session || this.#unnamed);
  }

  undelivered(session: string, host: HostName = "ai-sdk"): string | undefined {
    return undeliveredIn(this.#folder, host, session || this.#unnamed);
  }

  /** Gives an unnamed session a name. A value that is no event stays none, and is answered closed. */
  #named(event: unknown): object {
    const given = fieldsOf(event);
    const session = fieldsOf(given["session"]);
    return typeof session["id"] === "string" && session["id"] !== ""
      ? given
      : { ...given, session: { ...session, id: this.#unnamed } };
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
