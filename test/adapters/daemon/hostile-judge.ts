/**
 * A judge that does what the first word of a command says, in the place of the real one: what no meter and no timer of a
 * judge's own would end. Any other command it lets through. It says in its answer how often it was asked, and shows by that
 * whether it is a new one. Everything here is harmless: scratch folders, its own memory, its own end.
 */
export const hostileJudge = `
const { Socket } = require("node:net");
const fs = require("node:fs");
const { execFileSync } = require("node:child_process");
const front = new Socket({ fd: 3, readable: true, writable: true });
const kinds = ["loaded", "ask", "begun", "free", "answer"];
const say = (kind, call, text = "") => {
  const body = Buffer.from(text);
  const head = Buffer.alloc(9);
  head.writeUInt32BE(body.length, 0);
  head.writeUInt8(kinds.indexOf(kind), 4);
  head.writeUInt32BE(call, 5);
  front.write(Buffer.concat([head, body]));
};
let asked = 0;
let rest = Buffer.alloc(0);
const fifo = () => {
  execFileSync("/usr/bin/mkfifo", [__dirname + "/fifo"]);
  fs.openSync(__dirname + "/fifo", "r");
};
const hang = {
  "busy-loop": () => { for (;;); },
  // A Node that finds out that nothing can be made there goes on to a loop of its own.
  "mkdir-below-proc": () => {
    try { fs.mkdirSync("/proc/hookwarden-no-such/a", { recursive: true }); } catch {}
    for (;;);
  },
  "open-fifo": fifo,
  "native-regex": () => /^(a+)+$/.test("a".repeat(60) + "b"),
  "after-await": () => new Promise(() => {}),
  "loop-after-await": async () => { await new Promise((done) => setTimeout(done, 20)); for (;;); },
  "exit": () => process.exit(0),
  "segmentation-fault": () => process.kill(process.pid, "SIGSEGV"),
  "abort": () => process.abort(),
  "memory": () => { const all = []; for (;;) all.push(new Array(10_000).fill(all.length)); },
  "throw": () => { throw new Error("nobody foresaw this"); },
  "rejection": async () => { throw new Error("nobody foresaw this"); },
  "garbage": () => front.write("what is this?"),
  "stop": () => process.kill(process.pid, "SIGSTOP"),
};
// Calls that are held until there is a file go.
const held = async () => {
  fs.writeFileSync(__dirname + "/asked", "");
  while (!fs.existsSync(__dirname + "/go")) await new Promise((done) => setTimeout(done, 10));
};
const take = async (call, bytes) => {
  say("begun", call);
  const text = bytes.toString("utf8");
  const mark = text.slice(0, text.indexOf("\\n"));
  const word = /"command":"([a-z-]+)/.exec(text)?.[1];
  asked += 1;
  const free = setImmediate(() => say("free", call));
  if (Object.hasOwn(hang, word)) return hang[word]();
  clearImmediate(free);
  if (word === "held") await held();
  say("answer", call, process.pid + " " + asked + "\\n" + mark + " err\\n\\n" + mark + " end 0\\n");
};
front.on("data", (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  while (rest.length >= 9 && rest.length >= 9 + rest.readUInt32BE(0)) {
    const end = 9 + rest.readUInt32BE(0);
    take(rest.readUInt32BE(5), rest.subarray(9, end));
    rest = rest.subarray(end);
  }
});
front.on("end", () => front.end());
say("loaded", 0);
`;
