import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentAround, hostOf } from "../../../cli/consent/agents.ts";
import { linuxSurroundings, listedSurroundings, nobody, surroundings } from "../../../cli/consent/surroundings.ts";
import { hostMarks } from "../../../schema/hosts/marks.ts";

/** Who is around a process, in a process file system of the test's own. */
let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-proc-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Made {
  readonly pid: number;
  readonly parent: number;
  readonly name?: string;
  readonly words?: readonly string[];
  readonly variables?: readonly string[];
  readonly group?: number;
  readonly session?: number;
  /** Number of the terminal that controls it. */
  readonly terminal?: number;
  readonly foreground?: number;
  /** Numbers of terminals that it made. */
  readonly made?: readonly number[];
}

function put(process: Made): void {
  const { pid, parent, name = "bash", words = [name], variables = [], terminal, made = [] } = process;
  const { group = pid, session = pid, foreground = group } = process;
  const folder = join(root, `${pid}`);
  for (const each of ["fd", "fdinfo"]) mkdirSync(join(folder, each), { recursive: true });
  const device = terminal === undefined ? 0 : (136 << 8) | terminal;
  writeFileSync(
    join(folder, "stat"),
    `${pid} (${name}) S ${parent} ${group} ${session} ${device} ${foreground} 4194304 1`,
  );
  writeFileSync(join(folder, "cmdline"), words.map((word) => `${word}\0`).join(""));
  writeFileSync(join(folder, "environ"), variables.map((variable) => `${variable}\0`).join(""));
  made.forEach((index, at) => {
    symlinkSync("/dev/ptmx", join(folder, "fd", `${at + 3}`));
    writeFileSync(join(folder, "fdinfo", `${at + 3}`), `pos:\t0\nflags:\t02\ntty-index:\t${index}\n`);
  });
}

const seen = (): string | undefined => agentAround({}, linuxSurroundings(root, 50));
const human = { pid: 50, parent: 40, session: 40, terminal: 3 } as const;

describe("an agent around a process", () => {
  it.each<[string, readonly Made[], RegExp | undefined]>([
    ["none", [{ pid: 1, parent: 0, name: "init" }, { pid: 40, parent: 1 }, human], undefined],
    [
      "one above",
      [{ pid: 30, parent: 1, name: "claude" }, { pid: 40, parent: 30 }, human],
      /30 above this process is claude-code/,
    ],
    [
      "one above with a name that holds brackets before it",
      [{ pid: 30, parent: 1, name: "codex" }, { pid: 40, parent: 30, name: "a) S 1 (b" }, human],
      /30 above this process is codex/,
    ],
    [
      "one that Node runs",
      [
        { pid: 30, parent: 1, name: "node", words: ["node", "/usr/lib/node_modules/@google/gemini-cli/dist/index.js"] },
        { pid: 40, parent: 30 },
        human,
      ],
      /30 above this process is gemini/,
    ],
    [
      "a variable that a shell above was started with",
      [{ pid: 40, parent: 1, variables: ["HOME=/h", "CODEX_THREAD_ID=1"] }, human],
      /40 above this process was started with `CODEX_THREAD_ID`, as codex/,
    ],
    ["a variable that is empty", [{ pid: 40, parent: 1, variables: ["CLAUDECODE="] }, human], undefined],
    [
      "one above the session that the process left its ancestors in",
      [
        { pid: 30, parent: 1, name: "goose" },
        { pid: 40, parent: 30 },
        { ...human, parent: 1 },
      ],
      /30 in this session is goose/,
    ],
    [
      "one that leads the group",
      [
        { pid: 45, parent: 1, name: "claude" },
        { pid: 40, parent: 1 },
        { ...human, parent: 1, group: 45 },
      ],
      /45 in this session is claude-code/,
    ],
    [
      "one that holds the terminal of a session of its own",
      [
        { pid: 30, parent: 1, name: "omp" },
        { pid: 31, parent: 30, name: "python3", made: [2, 3] },
        { ...human, parent: 1, session: 50 },
      ],
      /30 behind this terminal is omp/,
    ],
    [
      "one in whose session a holder of the terminal was left alone",
      [
        { pid: 30, parent: 1, name: "crush" },
        { pid: 31, parent: 1, name: "python3", session: 30, made: [3] },
        { ...human, parent: 1, session: 50 },
      ],
      /30 behind this terminal is crush/,
    ],
    [
      "one in whose session a process above was left alone",
      [
        { pid: 30, parent: 1, name: "crush" },
        { pid: 40, parent: 1, session: 30 },
        { ...human, session: 50 },
      ],
      /30 in this session is crush/,
    ],
    [
      "a terminal whose holder has a session of its own",
      [
        { pid: 30, parent: 1, name: "crush" },
        { pid: 31, parent: 1, name: "tmux: server", made: [3] },
        { ...human, parent: 31, session: 50 },
      ],
      undefined,
    ],
    [
      "one that holds another terminal",
      [
        { pid: 30, parent: 1, name: "omp", made: [2, 33] },
        { ...human, parent: 1, session: 50 },
      ],
      undefined,
    ],
    ["processes in a circle", [{ pid: 40, parent: 41 }, { pid: 41, parent: 40 }, human], undefined],
  ])("%s", (_, processes, expected) => {
    for (const process of processes) put(process);
    if (expected === undefined) expect(seen()).toBeUndefined();
    else expect(seen()).toMatch(expected);
  });

  it("is told of by its variables alone, each of every host", () => {
    const names = Object.values(hostMarks).flatMap(({ variables = [] }) => variables);
    expect(names.length).toBeGreaterThanOrEqual(18);
    for (const name of names) {
      expect(agentAround({ [name]: "1" }, nobody)).toContain(`\`${name}\` is set`);
      // A variable is easily emptied, and no shell sets one of these to nothing by itself.
      expect(agentAround({ [name]: "" }, nobody)).toContain(`\`${name}\` is set`);
    }
  });

  it("is not seen where nothing can be looked at", () => {
    expect(linuxSurroundings(join(root, "none"), 50)).toEqual(nobody);
    put({ ...human, terminal: undefined as never });
    expect(linuxSurroundings(root, 50)).toMatchObject({ holders: [] });
  });

  it("sees this very process: who started it, and its group", () => {
    const { ancestors } = surroundings();
    expect(ancestors[0]?.pid).toBe(process.ppid);
    expect(ancestors.at(-1)?.pid).toBeGreaterThan(0);
  });
});

describe("a process that is a host", () => {
  it.each<[string | undefined, string, readonly string[]]>([
    ["claude-code", "claude", ["claude", "-p", "x"]],
    ["claude-code", "node", ["node", "--no-warnings", "/opt/bin/claude"]],
    ["claude-code", "MainThread", ["/usr/bin/node", "/w/node_modules/@anthropic-ai/claude-code/cli.js"]],
    ["pi", "node", ["node", "/usr/local/bin/pi"]],
    ["codex", "codex", ["/w/node_modules/@openai/codex/vendor/codex", "exec"]],
    ["claude-code", "node", ["node", "/opt/x/@anthropic-ai/claude-code/cli.js"]],
    ["claude-code", "2.1.139", ["/home/dev/.local/share/claude/versions/2.1.139", "-p", "x"]],
    ["goose", "1.9", ["/opt/goose/versions/1.9/bin/run"]],
    [undefined, "node", ["node", "/w/cline/server.js"]],
    [undefined, "2.1.139", ["/opt/tool/versions/2.1.139"]],
    ["aider", "python3", ["python3", "-m", "aider"]],
    ["goose", "goosed", ["/opt/goosed"]],
    ["copilot", "copilot.exe", ["C:\\Tools\\copilot.exe"]],
    ["claude-code", "sh", ["/bin/sh", "/home/dev/bin/claude"]],
    [undefined, "bash", ["bash", "-c", "echo claude"]],
    [undefined, "vim", ["vim", "claude"]],
    [undefined, "bash", ["-bash"]],
    [undefined, "code", ["/usr/share/code/code", "--type=renderer"]],
    [undefined, "node", ["node", "server.js", "claude"]],
    [undefined, "sshd", ["sshd: dev@pts/0"]],
    [undefined, "tmux: server", ["tmux", "new"]],
    [undefined, "npm exec hookwarden", ["npm exec hookwarden install claude-code"]],
    [undefined, "node", ["node", "/usr/bin/npx", "hookwarden", "install", "claude-code"]],
    [undefined, "", []],
  ])("%s: %s %j", (host, name, words) => expect(hostOf({ name, words })).toBe(host));
});

describe("what `ps` lists", () => {
  const text = [
    "    1     0     1     0 /sbin/launchd",
    "   30     1    30    50 /opt/homebrew/bin/claude -p x",
    "   40    30    40    50 -zsh",
    "   50    40    50    50 node /usr/local/bin/hookwarden trust",
    "   60     1    60     0 /usr/sbin/cron",
    "   70    40    70    50 node /usr/local/bin/hookwarden trust",
  ].join("\n");

  it.each<[number, string | undefined, boolean | undefined]>([
    [50, "process 30 above this process is claude-code", true],
    [60, undefined, undefined],
    [70, "process 30 above this process is claude-code", false],
    [99, undefined, undefined],
  ])("tells who is above %s, and whether it has the foreground", (pid, agent, foreground) => {
    const around = listedSurroundings(text, pid);
    expect(agentAround({}, around)).toBe(agent);
    expect(around.foreground).toBe(foreground);
  });
});
