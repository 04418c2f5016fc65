import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../cli/run.ts";
import { ensureBuilt } from "../hosts/guard-files.ts";
import { root } from "../package/packed.ts";
import { blocks, commandLines, GuideWorld, textOf } from "./command-lines.ts";
import { exitCodes, hostPages, pageRows } from "./command-rows.ts";

/** The commands of README and guides, carried out in their order in a scratch project, with a human who says yes. */
const policy = `version: 1
policy: mine
title: Mine
description: A policy of this reader.
rules:
  - { id: no, title: No, severity: low, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
`;

const linesOf = (page: string): readonly string[] =>
  commandLines.filter((one) => one.page === page).map(({ line }) => line);

describe.each(hostPages)("the commands of %s, in their order", (page) => {
  let world: GuideWorld;
  let serving: ChildProcess | undefined;
  beforeAll(() => {
    ensureBuilt();
    world = new GuideWorld();
    world.put("../home/policy.yaml", policy);
  }, 300_000);
  afterAll(() => {
    serving?.kill("SIGKILL");
    world.remove();
  });

  /** Starts the daemon as a process, and waits until it says that it serves. */
  async function serve(args: readonly string[]): Promise<ChildProcess> {
    const command = [join(root, "dist/bin/hookwarden.js"), ...args];
    const env = { HOME: world.home, PATH: "/usr/bin:/bin" };
    const child = spawn(process.execPath, command, { cwd: world.project, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    await new Promise<void>((done, fail) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => {
          said += String(chunk);
          if (said.includes("hook.sock")) done();
        });
      child.once("exit", (code) => fail(new Error(`serve ended with ${code}: ${said}`)));
    });
    return child;
  }

  const lines = linesOf(page);

  it.each(lines)("%s", async (line) => {
    if (/^hookwarden serve\b/.test(line)) {
      serving = await serve(line.split(" ").slice(1));
      expect(existsSync(join(world.state, "daemon/hook.sock"))).toBe(true);
      return;
    }
    const { code, out, err } = await world.follow(line);
    expect(code, out + err).toBe(0);
  });

  it("leave a daemon that ends when it is asked to, where one was started", async () => {
    if (serving === undefined) return expect(lines.some((line) => line.startsWith("hookwarden serve"))).toBe(false);
    const over = new Promise((done) => serving?.once("exit", done));
    serving.kill("SIGTERM");
    expect(await over).toBe(0);
  });
});

describe.each(Object.entries(pageRows))("the commands of %s, in their order", (page, { before, between, synopses }) => {
  let world: GuideWorld;
  let last: Ran | undefined;
  beforeAll(async () => {
    ensureBuilt();
    world = new GuideWorld();
    await before?.(world);
  }, 180_000);
  afterAll(() => world.remove());

  it.each(linesOf(page))("%s", async (line) => {
    await between?.[line]?.(world, last);
    last = await world.follow(synopses?.[line] ?? line);
    expect(last.code, last.out + last.err).toBe(exitCodes[line] ?? 0);
  });

  it("are all that is prepared for", () => {
    const lines = linesOf(page);
    for (const line of [...Object.keys(between ?? {}), ...Object.keys(synopses ?? {})]) expect(lines).toContain(line);
  });
});

describe("other commands of README and the guide to installing", () => {
  /** Lines of shell blocks that are none of hookwarden, and the file that runs each. */
  const others: Readonly<Record<string, string>> = {
    "npm ci && npm run demo": ".ci/run",
    "npm ci && npm test": ".ci/run",
    "npm install --global .": "test/package/installed.heavy.test.ts",
    "cd ~/your-project": "test/guide/commands.heavy.test.ts",
    "git clone <address of the repository> hookwarden": "test/package/installed.heavy.test.ts",
    "cd hookwarden": "test/package/installed.heavy.test.ts",
    "npm ci --ignore-scripts": "test/package/installed.heavy.test.ts",
    "npm pack": "test/package/installed.heavy.test.ts",
    "npm install --global --allow-scripts=re2 ./hookwarden-0.1.0.tgz": "test/package/installed.heavy.test.ts",
    // It writes below /etc, which no test does: one writes the same file elsewhere.
    "printf 'install\\naudit-init until 2027-01-31\\n' | sudo install -D -m 0644 /dev/stdin /etc/hookwarden/unattended":
      "test/cli/consent/terminal.heavy.test.ts",
    "mkdir -p .opencode/plugins": "test/guide/commands.test.ts",
  };

  it("are each run by the file that is named for it", () => {
    const shown = blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.trim().split("\n"))
      .map((line) => line.replace(/\s+# .*$/, ""))
      .filter((line) => line !== "" && !line.startsWith("hookwarden "));
    expect([...new Set(shown)].sort()).toEqual(Object.keys(others).sort());
    for (const file of Object.values(others)) expect(existsSync(join(root, file)), file).toBe(true);
  });

  it("name the registry only as something to come", () => {
    const pages = [...new Set(blocks.map(({ page }) => page)), "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];
    for (const page of pages)
      for (const line of textOf(page).split("\n"))
        if (
          /\bnpx (?!--no )(?:--yes |-y )?hookwarden\b|npm (?:install|i|add) (?:--?[\w-]+(?:=\S+)? )*hookwarden\b/.test(
            line,
          )
        )
          expect(line, page).toMatch(/^(?:- \*\*The registry\.\*\* )?Once published, /);
  });
});
