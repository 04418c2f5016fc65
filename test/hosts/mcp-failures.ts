import { failedProgram, failingPolicy, programFailures } from "./failing-programs.ts";
import type { Connected } from "./mcp-client.ts";
import { allowAll, answerOf, behind, inScratch, smallServer, withClient } from "./mcp-proxied.ts";
import type { Cases } from "./report.ts";
import type { Scratch } from "./scratch.ts";

/** What fails on either side of the proxy: programs of rules in front of a real server, and servers that fail. */
export async function failureCases(everything: readonly string[], cases: Cases): Promise<void> {
  for (const failure of programFailures)
    await cases.group(`a program that ${failure}`, () =>
      inScratch(async (scratch) => {
        const policy = failingPolicy(scratch, failure, "mcp__everything__echo");
        const answer = await withClient(scratch, behind(policy, "everything", everything), echo);
        const refused = answer.includes('"isError":true') && !answer.includes("Echo:");
        cases.check(`a program of a rule that ${failure} blocks the call`, refused, answer);
        cases.check(
          `a program of a rule that ${failure}: and the client is told`,
          answer.includes(failedProgram),
          answer,
        );
      }),
    );
  await cases.group("a server that crashes", () => inScratch((scratch) => crashes(scratch, cases)));
  await cases.group("a server that hangs", () => inScratch((scratch) => hangs(scratch, cases)));
  await cases.group("a server that answers garbage", () => inScratch((scratch) => garbage(scratch, cases)));
}

const echo = async ({ client }: Connected): Promise<string> =>
  JSON.stringify(await answerOf(client.callTool({ name: "echo", arguments: { message: "hello" } })));

/** A server with one tool, `one`, and another, `two`, that always answers; and what it does when `one` is called. */
function server(scratch: Scratch, more: object): string[] {
  const tools = ["one", "two"].map((name) => ({ name, description: name, inputSchema: { type: "object" } }));
  const file = scratch.write("small.json", JSON.stringify({ tools, ...more }));
  return behind(scratch.write("allow.yaml", allowAll), "small", [process.execPath, smallServer, file]);
}

const call = ({ client }: Connected, name: string, more?: object): Promise<string> =>
  answerOf(client.callTool({ name, arguments: {} }, undefined, more)).then((answer) => JSON.stringify(answer));

async function crashes(scratch: Scratch, cases: Cases): Promise<void> {
  const answer = await withClient(scratch, server(scratch, { results: { "tools/call one": "exit" } }), (connected) =>
    call(connected, "one"),
  );
  // The client would say so too if it had waited until its own time-out.
  cases.check("a server that crashes leaves nobody waiting", !/timed? ?out/i.test(answer), answer);
  cases.check("a server that crashes: the call is an error", answer.includes("error"), answer);
}

/** How long a call may take is the client's to say: the proxy neither answers for the server nor holds up other calls. */
async function hangs(scratch: Scratch, cases: Cases): Promise<void> {
  const seen = await withClient(
    scratch,
    server(scratch, { results: { "tools/call one": "hang" } }),
    async (connected) => [await call(connected, "one"), await call(connected, "two")],
  );
  cases.check(
    "a server that hangs: the call ends with the client's own time-out",
    seen[0]?.includes("error") === true,
    seen,
  );
  cases.check("a server that hangs: and other calls go on", seen[1]?.includes("isError") === false, seen);
}

async function garbage(scratch: Scratch, cases: Cases): Promise<void> {
  const before = { "tools/call one": ["this is { no message", '{"jsonrpc":"2.0","id":[],"result":{}}'] };
  const { answer, said } = await withClient(scratch, server(scratch, { before }), async (connected) => ({
    answer: await call(connected, "one"),
    said: connected.said(),
  }));
  cases.check("garbage of a server does not reach the client, and its answer does", !answer.includes("error"), answer);
  cases.check("garbage of a server: and a human is told", said.includes("hookwarden"), said);
}
