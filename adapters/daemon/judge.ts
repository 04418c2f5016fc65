import { Socket } from "node:net";
import type { HookReply } from "../one-shot/dialect.ts";
import { refusal } from "../one-shot/hook.ts";
import { HookMemory } from "../one-shot/memory.ts";
import { refusalOfLine } from "../one-shot/own-refusal.ts";
import { runHook } from "../one-shot/run.ts";
import { FrameReader, frameBytes } from "./frames.ts";
import { argumentsOf, type HookRequest, markOf, readRequest, replyText } from "./request.ts";
import { warmUp } from "./warm-up.ts";

/**
 * A judge: the process behind the daemon's front that judges hooks, each as a launcher would that was started for it, with
 * its folder, variables, policies, session, lock and record (`runHook`). It is begun by the front and nobody else
 * (`judge-process.ts`), asked at its fourth file, and ended by the front at any moment: what counts is on the disk before
 * the answer leaves. Where the front is gone it ends by itself. A fault that nobody foresaw ends the process, by which the
 * front refuses what it was judging.
 */
const [home = "/", warm = ""] = process.argv.slice(2);
const memory = new HookMemory();
const front = new Socket({ fd: 3, readable: true, writable: true });
const frames = new FrameReader();
let asking = 0;
let over = false;

front.on("data", (bytes: Buffer) => {
  for (const { call, body } of frames.take(bytes)) void take(call, body);
});
front.on("error", leave);
front.on("end", leave);
say("loaded", 0);
if (warm === "warm")
  void warmUp(
    () => asking > 0,
    () => over,
  );

function say(kind: "loaded" | "begun" | "free" | "answer", call: number, body?: Uint8Array): void {
  for (const part of frameBytes(kind, call, body)) front.write(part);
}

function leave(): void {
  over = true;
  memory.sessions.release();
  front.end();
}

async function take(call: number, bytes: Buffer): Promise<void> {
  asking += 1;
  say("begun", call);
  // Heard only where the thread is free while this call waits for something.
  const free = setImmediate(() => say("free", call));
  const answer = await reply(bytes.toString("utf8"));
  clearImmediate(free);
  asking -= 1;
  say("answer", call, Buffer.from(answer, "utf8"));
}

async function reply(text: string): Promise<string> {
  const mark = markOf(text) ?? "";
  const request = readRequest(text, mark);
  const refused = (why: string): HookReply =>
    refusalOfLine(request?.given ?? argumentsOf(Buffer.from(text, "utf8")), refusal(why));
  const made = request ? await judged(request) : refused("the daemon did not understand it");
  // What reads like our own line would end the answer too early.
  const whole = `${made.stdout}\n${made.stderr}`.includes(mark) ? refused("its answer cannot be sent") : made;
  return replyText(whole, mark);
}

/** The home folder is this user's, whatever the hook's variables say: those may be a project's. */
function judged({ given, cwd, variables, payload }: HookRequest): Promise<HookReply> {
  return runHook(given, { stdin: once(payload), variables, cwd, home, now: () => Date.now(), memory });
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}
