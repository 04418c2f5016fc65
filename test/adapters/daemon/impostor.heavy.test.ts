import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { spawnSync } from "../../bounded-process.ts";
import {
  allowing,
  bin,
  impostor,
  type Launched,
  launch,
  trusting,
  useLaunchers,
  warmed,
  withoutPerl,
} from "./launched.ts";
import { ask, begin, call, policy, root, socket, useJudge, useWorld, write } from "./world.ts";

useJudge();
useLaunchers();
useWorld();

const given = (): string[] => ["claude-code", "--policy", write("p.yaml", policy("FORBIDDEN"))];

/** The call is refused by a policy, and a process of its own said so. */
function judgedAlone({ stdout, oneShot }: Launched): void {
  expect(oneShot).toBe(true);
  expect(stdout).toContain("not this");
}

describe("the shell launcher before somebody who is not the daemon", () => {
  it("asks nobody but the process that the lock names", async () => {
    const by = given();
    await warmed(by);
    await impostor(allowing, process.ppid);
    judgedAlone(await launch(by, call("touch FORBIDDEN")));
    // What the check is for: without it the impostor is believed, and so it is where there is only `nc` (SECURITY.md).
    for (const script of [trusting, withoutPerl])
      expect(await launch(by, call("touch FORBIDDEN"), { script })).toMatchObject({
        code: 0,
        stdout: "",
        oneShot: false,
      });
  });

  it("asks none that is not the command line beside the launcher, where the system shows that", async () => {
    const by = given();
    await warmed(by);
    await impostor(allowing);
    // Who may write the lock and is not looked at any closer is believed.
    expect(await launch(by, call("touch FORBIDDEN"))).toMatchObject({ code: 0, stdout: "", oneShot: false });
    write("program/hookwarden.js", "// the command line\n");
    for (const name of ["hookwarden-hook.cjs"]) symlinkSync(join(bin, name), join(root, "program", name));
    judgedAlone(await launch(by, call("touch FORBIDDEN"), { folder: join(root, "program") }));
  });

  const lock = (): string => `${socket}.lock`;
  const folder = (): string => dirname(socket);
  const moved = (path: string): void => {
    renameSync(path, `${path}.moved`);
    symlinkSync(`${path}.moved`, path);
  };
  const places: readonly (readonly [string, () => void])[] = [
    ["a lock that the group can write", () => chmodSync(lock(), 0o660)],
    ["a lock that others can read", () => chmodSync(lock(), 0o604)],
    ["a lock that is a link", () => moved(lock())],
    ["a lock that is a folder", () => (rmSync(lock()), mkdirSync(lock()))],
    ["a lock without a number", () => writeFileSync(lock(), "nobody\n")],
    ["an empty lock", () => writeFileSync(lock(), "")],
    ["no lock", () => rmSync(lock())],
    ["a lock that names another process", () => writeFileSync(lock(), `${process.ppid} here - -\n`)],
    ["a socket that is a link", () => moved(socket)],
    ["a folder that others can write", () => chmodSync(folder(), 0o777)],
    ["a folder that is a link", () => moved(folder())],
    ...(process.getuid?.() === 0
      ? ([
          ["a lock of another user", () => chownSync(lock(), 65_534, 65_534)],
          ["a socket of another user", () => chownSync(socket, 65_534, 65_534)],
          ["a folder of another user", () => chownSync(folder(), 65_534, 65_534)],
        ] as const)
      : []),
  ];

  it.each(places)("asks nobody behind %s", async (_, change) => {
    const by = given();
    await begin();
    expect((await ask(by, call("echo hello"))).code).toBe(0);
    const before = await launch(by, call("touch FORBIDDEN"));
    expect([before.oneShot, before.stdout]).toEqual([false, expect.stringContaining("not this")]);
    const kept = readFileSync(lock());
    change();
    try {
      judgedAlone(await launch(by, call("touch FORBIDDEN")));
    } finally {
      // So that the daemon gives back what it took.
      for (const path of [lock(), socket, folder()])
        if (existsSync(`${path}.moved`)) {
          rmSync(path);
          renameSync(`${path}.moved`, path);
        }
      chmodSync(folder(), 0o700);
      if (!existsSync(lock())) writeFileSync(lock(), kept);
    }
  });

  it("starts no program that stands in a folder of the variables, and obeys none of those", async () => {
    const by = given();
    await begin();
    const ran = join(root, "RAN");
    const names = ["nc", "cat", "perl", "env", "rm", "sh", "node", "printf", "pwd", "kill", "test", "["];
    for (const name of names) write(`evil/${name}`, `#!/bin/sh\n: >'${ran}'\necho evil\nexit 0\n`, 0o755);
    write("evil/Evil.pm", `open my $f, ">", "${ran}"; exit 0; 1;\n`);
    write("evil/start.sh", `: >'${ran}'\nexit 0\n`);
    const evil = join(root, "evil");
    const hostile: readonly Record<string, string>[] = [
      { PATH: `${evil}:/usr/bin:/bin` },
      { PATH: "" },
      { PERL5OPT: "-MEvil", PERL5LIB: evil },
      { PERL5DB: `BEGIN { require "${evil}/Evil.pm" }`, PERL5OPT: "-d" },
      { BASH_ENV: join(evil, "start.sh"), ENV: join(evil, "start.sh"), SHELLOPTS: "noexec" },
      { "BASH_FUNC_exec%%": `() { : >'${ran}'; exit 0; }`, "BASH_FUNC_printf%%": `() { : >'${ran}'; }` },
      { "BASH_FUNC_/usr/bin/env%%": `() { : >'${ran}'; exit 0; }` },
      { IFS: "/abcdefghijklmnopqrstuvwxyz-", CDPATH: "/", LC_ALL: "none" },
      { NODE_OPTIONS: `--require=${join(evil, "none.cjs")}` },
    ];
    // The controls: what each of these does to a program that obeys it.
    const perl = spawnSync("/usr/bin/perl", ["-e", "1"], { env: { PERL5OPT: "-MEvil", PERL5LIB: evil } });
    expect([perl.status, existsSync(ran)]).toEqual([0, true]);
    rmSync(ran);
    spawnSync("/bin/sh", ["-c", "nc"], { env: { PATH: `${evil}:/usr/bin:/bin` } });
    expect(existsSync(ran)).toBe(true);
    rmSync(ran);
    for (const shell of ["/bin/sh", "/bin/bash"].filter((one) => existsSync(one)))
      for (const variables of hostile)
        for (const script of ["hookwarden-hook.sh", withoutPerl]) {
          const denied = await launch(by, call("touch FORBIDDEN"), { variables, shell, script });
          expect([variables, denied.stdout]).toEqual([variables, expect.stringContaining("not this")]);
          expect([variables, denied.oneShot, existsSync(ran)]).toEqual([variables, false, false]);
        }
  });
});
