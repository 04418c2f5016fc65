import { describe, expect, it } from "vitest";
import type { InputEvent } from "../../../adapters/hooks/events.ts";
import { gate, on, runnerOf } from "./modules.ts";

const image = (data: string) => ({ type: "image" as const, data, mimeType: "image/png" });
const typed = (text: string, images?: InputEvent["images"]): InputEvent => ({
  type: "input",
  text,
  source: "interactive",
  ...(images === undefined ? {} : { images }),
});
const transform = (suffix: string) =>
  on("input", (event: InputEvent) => ({ action: "transform", text: event.text + suffix }));
const throws = (event: string) =>
  on(event, () => {
    throw new Error("boom");
  });

describe("input, profile pi", () => {
  it("each handler sees the text of the previous transform (pi-hook-reference section 1, Chaining)", async () => {
    const { runner } = runnerOf("pi", [transform("+A"), transform("+B")]);
    expect(await runner.emitInput(typed("x"))).toEqual({ action: "transform", text: "x+A+B" });
  });

  it("continue and undefined pass through (pi-hook-reference section 1)", async () => {
    const { runner } = runnerOf("pi", [on("input", () => ({ action: "continue" })), on("input", () => undefined)]);
    expect(await runner.emitInput(typed("x"))).toEqual({ action: "continue", text: "x" });
  });

  it("the first handled stops the chain (pi-hook-reference section 1, Chaining)", async () => {
    let ran = false;
    const after = on("input", () => {
      ran = true;
    });
    const { runner } = runnerOf("pi", [on("input", () => ({ action: "handled" })), after]);
    expect((await runner.emitInput(typed("x"))).action).toBe("handled");
    expect(ran).toBe(false);
  });

  it("omitted images keep the original ones, given ones replace them (pi-hook-reference section 1, Edge cases)", async () => {
    const keep = await runnerOf("pi", [transform("!")]).runner.emitInput(typed("x", [image("old")]));
    expect(keep.images).toEqual([image("old")]);
    const replace = on("input", () => ({ action: "transform", text: "x", images: [image("new")] }));
    const replaced = await runnerOf("pi", [replace]).runner.emitInput(typed("x", [image("old")]));
    expect(replaced.images).toEqual([image("new")]);
  });

  it("a module that writes into the images in place changes neither the host's nor the judged ones", async () => {
    const images = [image("old")];
    const writes = on("input", (event: InputEvent) => {
      event.images?.push(image("more"));
      Object.assign(event.images?.[0] ?? {}, { data: "new" });
    });
    const outcome = await runnerOf("pi", [writes]).runner.emitInput(typed("x", images));
    expect([outcome.action, outcome.images, images]).toEqual(["continue", [image("old")], [image("old")]]);
  });

  it("unknown actions and texts of another type are faults of their module", async () => {
    const { runner, errors } = runnerOf("pi", [
      on("input", () => ({ action: "explode" })),
      on("input", () => ({ action: "transform" })),
      on("input", () => ({ action: "transform", text: 7 })),
    ]);
    expect(await runner.emitInput(typed("x"))).toEqual({ action: "continue", text: "x" });
    expect(errors).toHaveLength(3);
  });

  it("a throw is reported and skipped; hookFaults closed handles the input", async () => {
    const open = runnerOf("pi", [throws("input"), transform("!")]);
    expect((await open.runner.emitInput(typed("x"))).text).toBe("x!");
    expect(open.errors).toHaveLength(1);
    const closed = runnerOf("pi", [throws("input")], { hookFaults: "closed" });
    expect((await closed.runner.emitInput(typed("x"))).action).toBe("handled");
  });
});

describe("input, profile omp (hosts page section 3)", () => {
  it("chains text and images, and handled stops", async () => {
    const add = on("input", (event: InputEvent) => ({ text: `${event.text}+`, images: [image("n")] }));
    const { runner } = runnerOf("omp", [add, add]);
    expect(await runner.emitInput(typed("x"))).toEqual({ action: "transform", text: "x++", images: [image("n")] });
    const stop = runnerOf("omp", [on("input", () => ({ handled: true })), add]);
    expect(await stop.runner.emitInput(typed("x"))).toEqual({ action: "handled", text: "x" });
  });
});

describe("submit (pi-hook-reference section 1, Edge cases)", () => {
  const withCommand = (ran: string[]) => (api: Parameters<Parameters<typeof runnerOf>[1][number]>[0]) => {
    api.registerCommand("deploy", { handler: (args) => void ran.push(args) });
    api.on("input", () => {
      ran.push("input");
      return { action: "transform", text: "/new" };
    });
  };

  it("an extension command is checked before input, which then never fires", async () => {
    const ran: string[] = [];
    const outcome = await runnerOf("pi", [withCommand(ran)]).runner.submit(typed("/deploy prod now"));
    expect([outcome, ran]).toEqual([{ action: "handled", text: "/deploy prod now", command: "deploy" }, ["prod now"]]);
  });

  it("built-in commands are checked after: input may transform a text into one", async () => {
    const ran: string[] = [];
    const outcome = await runnerOf("pi", [withCommand(ran)]).runner.submit(typed("/other"));
    expect([outcome, ran]).toEqual([{ action: "transform", text: "/new" }, ["input"]]);
  });
});

const bash = { type: "user_bash" as const, command: "ls", excludeFromContext: false, cwd: "/work" };
const output = (text: string) => ({ output: text, exitCode: 0, cancelled: false, truncated: false });

describe("user_bash and user_python", () => {
  it("the first result wins (hosts page section 2; pi-hook-reference section 8)", async () => {
    const { runner } = runnerOf(
      "pi",
      ["A", "B"].map((text) => on("user_bash", () => ({ result: output(text) }))),
    );
    expect(await runner.emitUserBash(bash)).toEqual({ command: "ls", result: output("A") });
  });

  it("operations may run the command elsewhere (pi-hook-reference section 8)", async () => {
    const operations = { execute: () => "there" };
    const { runner } = runnerOf("pi", [on("user_bash", () => ({ operations }))]);
    expect((await runner.emitUserBash(bash)).operations).toBe(operations);
  });

  it("a throw is reported and skipped; hookFaults closed blocks", async () => {
    const open = runnerOf("pi", [throws("user_bash"), on("user_bash", () => ({ result: output("B") }))]);
    expect((await open.runner.emitUserBash(bash)).result?.output).toBe("B");
    expect(open.errors[0]?.event).toBe("user_bash");
    const closed = runnerOf("pi", [throws("user_bash")], { hookFaults: "closed" });
    expect((await closed.runner.emitUserBash(bash)).result).toMatchObject({ exitCode: 1, cancelled: true });
  });

  it("user_python takes a replacement result (hosts page section 3)", async () => {
    const { runner } = runnerOf("omp", [on("user_python", () => ({ result: output("P") }))]);
    const event = { type: "user_python" as const, code: "1", excludeFromContext: false, cwd: "/work" };
    expect(await runner.emitUserPython(event)).toEqual({ command: "1", result: output("P") });
  });

  it("a policy's result stands, whatever a module answered; a failing policy blocks (semantics sections 1 and 4)", async () => {
    const modules = [on("user_bash", () => ({ result: output("fine") }))];
    const denied = { output: "denied", exitCode: 1, cancelled: true, truncated: false };
    const deny = runnerOf("pi", modules, { policy: gate({ userBash: () => ({ result: denied }) }) });
    expect((await deny.runner.emitUserBash(bash)).result).toEqual(denied);
    const broken = runnerOf("pi", modules, { policy: gate({ userBash: () => JSON.parse("{") }) });
    expect((await broken.runner.emitUserBash(bash)).result).toMatchObject({ exitCode: 1, cancelled: true });
    expect(broken.errors[0]?.hookPath).toBe("policy");
  });
});
