import { afterEach, describe, expect, it } from "vitest";
import { type FailedTurn, type ModelServer, type ScriptedTurn, startModelServer } from "./model-server.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serverOf(turns: (ScriptedTurn | FailedTurn)[]) {
  const server = await startModelServer(turns);
  servers.push(server);
  const ask = async () => {
    const response = await fetch(`${server.url}/chat/completions`, { method: "POST", body: '{"messages":[]}' });
    return response.text();
  };
  return { server, ask };
}

const calling = (command: string): ScriptedTurn => ({ calls: [{ name: "bash", args: { command } }] });

describe("the scripted model", () => {
  it("refuses a script with anything but stand-ins", async () => {
    await expect(startModelServer([calling("touch ANOTHER")])).rejects.toThrow("not a harmless stand-in");
  });

  it("refuses a turn that comes later and is no stand-in", async () => {
    const { server, ask } = await serverOf([calling("touch HARMLESS"), calling("touch HARMLESS")]);
    expect(await ask()).toContain("touch HARMLESS");
    expect(() => server.say([calling("touch ANOTHER")])).toThrow("not a harmless stand-in");
    server.say([{ text: "Said later." }]);
    expect(await ask()).toContain("Said later.");
  });

  it("does not go by what was done to its script", async () => {
    const turns = [calling("touch HARMLESS")];
    const { ask } = await serverOf(turns);
    turns[0] = calling("touch ANOTHER");
    expect(await ask()).toContain("touch HARMLESS");
  });

  it("can fail, and tell how long a request was", async () => {
    const { ask } = await serverOf([
      { fails: "it is overloaded" },
      { text: "Long.", tokens: 4_000 },
      { text: "Short." },
    ]);
    expect(await ask()).toBe('data: {"error":{"message":"it is overloaded"}}\n\ndata: [DONE]\n\n');
    expect(await ask()).toContain('"prompt_tokens":4000,"completion_tokens":5,"total_tokens":4005');
    expect(await ask()).toContain('"prompt_tokens":10,');
  });
});
