// Writes down what begins and ends. A handler of `tool_call` runs a program that waits, where the agent is told so.
import { appendFileSync } from "node:fs";

const work = process.argv[2];
const log = (line) => appendFileSync("log", `${line}\n`);
export default function module(pi) {
  for (const name of ["agent_start", "agent_end", "turn_start", "turn_end", "session_shutdown"])
    pi.on(name, () => log(name));
  pi.on("tool_call", async () => {
    if (work === "exec") await pi.exec("sh", ["-c", "echo $$ > waiter.new && mv waiter.new waiter && exec sleep 1000"]);
    if (work === "ran") {
      await pi.exec("true", []);
      appendFileSync("under-way", "ran");
      await new Promise((done) => setTimeout(done, 1_000_000));
    }
    if (work === "handler") {
      appendFileSync("under-way", "handler");
      await new Promise((done) => setTimeout(done, 1_000_000));
    }
  });
}
