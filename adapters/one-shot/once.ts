import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { digest } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { canonicalTool } from "../../schema/tools.ts";
import { sessionName } from "../../store/human-decisions.ts";
import { installKey } from "../../store/install-key.ts";
import { readSealed, writeSealed } from "../../store/sealed-file.ts";
import { ownFolder } from "../../store/session-file.ts";
import { liveFiles } from "../live-files.ts";
import { workspaceOf } from "../pi/environment.ts";
import type { HookArguments } from "./arguments.ts";
import { unnamedCall } from "./claude-payload.ts";
import type { Dialect, HookCall, HookReply, Payload } from "./dialect.ts";
import { type HookPorts, refusal } from "./hook.ts";

/** One wiring of a hook, and the place of the data that it shares with another wiring. */
export interface OncePlace {
  /** The dialect that the command line names: the host whose file holds the hook. */
  readonly named: Dialect;
  /** Policies and parameters of the command line: hooks share answers only if these are equal. */
  readonly by: readonly unknown[];
  readonly state: string;
  readonly home: string;
  /** Folder that the process was started in. */
  readonly cwd: string;
  /** Milliseconds within which an answer must be written. */
  readonly budget: number;
  now(): number;
}

/** Makes the `once` port of one hook process. */
export function onceFor(
  { dialect, policies, set, budget = dialect.budget }: HookArguments,
  { home, cwd, now }: Pick<OncePlace, "home" | "cwd" | "now">,
  state: string,
): NonNullable<HookPorts["once"]> {
  const place: OncePlace = { named: dialect, by: [policies, set], state, home, cwd, budget, now };
  return (caller, call, work) => answeredOnce(place, caller, call, work);
}

/** Files that `install` writes hooks into, by host. */
const wirings: Readonly<Record<string, { readonly home: readonly string[]; readonly project: readonly string[] }>> = {
  "claude-code": {
    home: [".claude/settings.json"],
    project: [".claude/settings.json", ".claude/settings.local.json"],
  },
  copilot: { home: [".copilot/hooks/hookwarden.json"], project: [".github/copilot/settings.local.json"] },
  cursor: { home: [".cursor/hooks.json"], project: [".cursor/hooks.json"] },
};

/** Text that every such file with a hook of ours contains. */
const launcher = "hookwarden-hook";

/** Milliseconds within which the second hook of an event must start after the first. */
const together = 15_000;

/** Milliseconds after which claims and answers that nobody fetched are deleted. */
const leftOver = 60_000;

const kind = "answer";

/**
 * Answers an event once when the calling host also reads another host's files and both hold a hook of ours. The first hook
 * judges and records the event, and the second returns the same answer. Otherwise an event would count twice against budgets
 * and sequences. The first hook would also use up a human's one-time approval, and the second would refuse. An answer is
 * handed over once, to a hook of the other file with the same event, policies and session. At least one of the two hooks has
 * always judged. If nothing can be shared, each judges for itself.
 */
export async function answeredOnce(
  place: OncePlace,
  caller: Dialect,
  call: HookCall,
  work: () => Promise<HookReply>,
): Promise<HookReply> {
  if (!wiredTwice(place, caller, call)) return work();
  const shared = attempted(() => new Shared(place, keyOf(place, caller, call)));
  const claim = shared && attempted(() => shared.claim());
  if (!shared || !claim) return work();
  if (claim.first) {
    const reply = await work();
    attempted(() => shared.give(claim.id, reply));
    return reply;
  }
  const reply = await shared.given(claim.id);
  return reply ?? caller.fault(call.name, refusal("another hook of this event gave no answer in time"), call.given);
}

/** Milliseconds between two checks for an answer. */
const pause = 5;

function aMoment(): Promise<void> {
  return new Promise((done) => setTimeout(done, pause));
}

function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** True if the caller also reads a file of another wiring that has a hook of ours. This changes no decision. */
function wiredTwice({ named, home, cwd }: OncePlace, caller: Dialect, call: HookCall): boolean {
  const folder = resolve(cwd, call.cwd ?? "");
  const folders = [cwd, folder, workspaceOf(liveFiles, folder)];
  const own = named.host === "vscode" ? "claude-code" : named.host;
  const paths = [caller.host, ...(caller.alsoReads ?? [])]
    .filter((name) => name !== own)
    .flatMap((name) => {
      const files = wirings[name] ?? { home: [], project: [] };
      return [
        ...files.home.map((file) => join(home, file)),
        ...folders.flatMap((folder) => files.project.map((file) => join(folder, file))),
      ];
    });
  return [...new Set(paths)].some((path) => liveFiles.readText(path, limits.policyBytes)?.includes(launcher) === true);
}

/** Returns the key that both hooks of an event share, even if the host spells their payloads differently. */
function keyOf({ by }: OncePlace, caller: Dialect, call: HookCall): string {
  const { session, event, payload, cwd = "", agent } = call;
  return digest({ host: caller.host, session, event, cwd, agent: agent?.id ?? "", by, payload: alike(payload) });
}

function alike(payload: Payload): Payload {
  const { tool, args, call_id, ...rest } = payload;
  if (typeof tool !== "string") return payload;
  const named = call_id === unnamedCall(tool, args as Payload) ? undefined : call_id;
  return { ...rest, tool: canonicalTool(tool), args, ...(named !== undefined && { call_id: named }) };
}

interface Claim {
  readonly id: string;
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The claim and the answer that the hooks of one event share. */
class Shared {
  readonly #place: OncePlace;
  readonly #key: string;
  readonly #folder: string;

  constructor(place: OncePlace, key: string) {
    this.#place = place;
    this.#key = key;
    const sessions = join(place.state, "sessions");
    ownFolder(sessions);
    this.#folder = join(sessions, "answers");
    ownFolder(this.#folder);
  }

  /** Claims the event as the first hook, or as the second one that gets the first one's answer. */
  claim(): { readonly first: boolean; readonly id: string } {
    const { named, now } = this.#place;
    const path = join(this.#folder, `${sessionName(this.#key)}.claim`);
    this.#tidy();
    for (let tries = 0; tries < 16; tries++) {
      const own: Claim = { id: randomBytes(16).toString("hex"), by: named.host, at: now() };
      if (this.#made(path, own)) return { first: true, id: own.id };
      const found = this.#taken(path);
      const age = found === undefined ? undefined : now() - found.at;
      // A claim by the same file belongs to an earlier, identical event, whose answer nobody else will fetch.
      if (found && found.by !== named.host && age !== undefined && age >= 0 && age < together)
        return { first: false, id: found.id };
    }
    throw new Error("the event cannot be claimed");
  }

  /** Creates the claim file atomically with its whole text; false if there already is one. */
  #made(path: string, claim: Claim): boolean {
    const written = `${path}.${claim.id}`;
    writeFileSync(written, JSON.stringify(claim), { flag: "wx", mode: 0o600 });
    try {
      linkSync(written, path);
      return true;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw fault;
    } finally {
      rmSync(written, { force: true });
    }
  }

  /** Removes a claim file and returns its claim; of several processes that try, only one gets it. */
  #taken(path: string): Claim | undefined {
    const mine = `${path}.${randomBytes(16).toString("hex")}`;
    return attempted(() => {
      renameSync(path, mine);
      const { id, by, at } = JSON.parse(readFileSync(mine, "utf8")) as Partial<Record<keyof Claim, unknown>>;
      rmSync(mine, { force: true });
      return typeof id === "string" && /^[0-9a-f]{32}$/.test(id) && typeof by === "string" && typeof at === "number"
        ? { id, by, at }
        : undefined;
    });
  }

  /** Leaves the answer for the other hook. */
  give(id: string, reply: HookReply): void {
    writeSealed(this.#answer(id), kind, { key: this.#key, id, ...reply }, installKey(this.#place.state));
  }

  /** Waits for the answer of the first hook; undefined if it does not come in time or cannot be used. */
  async given(id: string): Promise<HookReply | undefined> {
    const { state, budget } = this.#place;
    const path = this.#answer(id);
    for (const end = performance.now() + budget; performance.now() < end; await aMoment()) {
      const found = readSealed(path, kind, installKey(state));
      if ("problem" in found) {
        if (found.problem === "absent") continue;
        return undefined;
      }
      rmSync(path, { force: true });
      const { key, id: of, stdout, stderr, exitCode } = found.value as Partial<Record<string, unknown>>;
      if (key !== this.#key || of !== id) return undefined;
      return { stdout: String(stdout), stderr: String(stderr), exitCode: Number(exitCode) };
    }
    return undefined;
  }

  #answer(id: string): string {
    return join(this.#folder, `${id}.answer`);
  }

  /** Deletes claims and answers that nobody fetched. */
  #tidy(): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat && Date.now() - stat.mtimeMs > leftOver) rmSync(path, { force: true });
    }
  }
}
