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
 * A judge: the process behind the daemon's front that judges hooks. It treats each like a launcher started for it alone,
 * with its folder, variables, policies, session, lock and record (`runHook`). Only the front starts it (`judge-process.ts`),
 * asks it at its fourth file descriptor, and may end it at any moment. All that counts is on disk before the answer leaves.
 * It ends by itself when the front is gone. An unexpected fault ends the process; the front then refuses the calls it was
 * judging.
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
  // Sent only if the thread is free while this call waits.
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
  // Output that contains our own mark would end the answer too early.
  const whole = `${made.stdout}\n${made.stderr}`.includes(mark) ? refused("its answer cannot be sent") : made;
  return replyText(whole, mark);
}

/** Judges a request. The home folder is this user's, whatever the hook's variables say: a project may have set those. */
function judged({ given, cwd, variables, payload }: HookRequest): Promise<HookReply> {
  return runHook(given, { stdin: once(payload), variables, cwd, home, now: () => Date.now(), memory });
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, "utf8");
}
