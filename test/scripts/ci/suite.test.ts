import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runLanes, runSuite, type Suite } from "../../../scripts/ci/suite.ts";
import { spawnSync } from "../../bounded-process.ts";

const top = mkdtempSync(join(tmpdir(), "hookwarden-ci-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let count = 0;

/** Runs a suite in a folder of its own, in which a script `tool` counts how often it ran. */
async function ran(
  suite: Omit<Suite, "name">,
  files: Readonly<Record<string, string>> = {},
  patience?: number,
  longest?: number,
) {
  const root = join(top, `run ${count++}`);
  mkdirSync(join(root, "bin"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text, { mode: 0o755 });
  let printed = "";
  const folder = join(root, "logs");
  const env = { PATH: `${join(root, "bin")}:${process.env["PATH"] ?? ""}`, ...suite.env };
  const print = (text: string): void => void (printed += text);
  const outcome = await runSuite(
    { name: "s", ...suite, env },
    { root, folder, print, ...(patience && { patience }), ...(longest && { longest }) },
  );
  return { outcome, printed, folder };
}

/** A double of `npx vitest run`: fails at first, and passes when it is asked for the file that failed alone. */
const flakyVitest = `#!/usr/bin/env bash
status=failed; [ "$1 $2 $3" = "vitest run test/b.test.ts" ] && status=passed
cat >"$HOOKWARDEN_TEST_REPORT" <<REPORT
{"testResults": [
  {"name": "$PWD/test/a.test.ts", "status": "passed", "message": "", "assertionResults": [{"fullName": "a", "status": "passed"}]},
  {"name": "$PWD/test/b.test.ts", "status": "$status", "message": "", "assertionResults": [
    {"fullName": "b", "status": "$status", "failureMessages": ["Error: $status"]}]}]}
REPORT
[ $status = passed ]
`;

describe("a suite", () => {
  it("is read by its exit code, prints as it goes and keeps its log", async () => {
    const { outcome, printed, folder } = await ran({ command: "echo seen; echo also >&2", reads: "exit" });
    expect(outcome).toMatchObject({ suite: "s", passed: 1, failures: [], flaky: [] });
    expect(printed).toContain("seen");
    expect(readFileSync(join(folder, "s.log"), "utf8")).toMatch(/seen[\s\S]*also|also[\s\S]*seen/);
  });
  it("that fails is not repeated unless that is asked for", async () => {
    const { outcome, folder } = await ran({ command: "echo x >>count; false", reads: "exit" });
    expect(outcome.failures).toHaveLength(1);
    expect(readFileSync(join(folder, "..", "count"), "utf8")).toBe("x\n");
  });
  it("runs a file that failed once more, alone: passed then, it is flaky and counted as passed", async () => {
    const command = "npx vitest run";
    const { outcome, printed } = await ran({ command, reads: "vitest", again: true }, { "bin/npx": flakyVitest });
    expect(outcome).toMatchObject({
      passed: 2,
      failures: [],
      flaky: [{ file: "test/b.test.ts", test: "b", message: "Error: failed" }],
    });
    expect(printed).toContain("once more, alone: test/b.test.ts");
  });
  it("fails where the file fails again", async () => {
    const command = "npx vitest run";
    const broken = flakyVitest.replace("&& status=passed", "&& status=failed");
    const { outcome } = await ran({ command, reads: "vitest", again: true }, { "bin/npx": broken });
    expect(outcome).toMatchObject({ passed: 1, failures: [{ file: "test/b.test.ts" }], flaky: [] });
  });
  it("that counts for itself runs once more as a whole", async () => {
    const command =
      "if [ -e ran ]; then echo '4 passed, 0 failed'; else touch ran; echo 'not ok - h: a'; echo '3 passed, 1 failed'; exit 1; fi";
    const { outcome } = await ran({ command, reads: "counted", again: true });
    expect(outcome).toMatchObject({ passed: 4, failures: [], flaky: [{ test: "h: a" }] });
  });
  it("has the variables that it names", async () => {
    const { outcome } = await ran({ command: '[ "$GIVEN" = yes ]', reads: "exit", env: { GIVEN: "yes" } });
    expect(outcome.passed).toBe(1);
  });
});

/** A double of `npx vitest run` that tests two of three files, and hangs unless it is asked for the third alone. */
const hangingVitest = `#!/usr/bin/env bash
file() { echo '{"ended": {"name": "'$PWD/test/$1.test.ts'", "status": "passed", "message": "", "assertionResults": [{"fullName": "'$1'", "status": "passed"}]}}'; }
if [ "$3" = test/b.test.ts ]; then
  echo '{"testResults": ['"$(file b | sed 's/^{"ended": //; s/}$//')"']}' >"$HOOKWARDEN_TEST_REPORT"
  exit
fi
{ echo '{"planned": ["'$PWD'/test/a.test.ts", "'$PWD'/test/b.test.ts", "'$PWD'/test/c.test.ts"]}'; file a; file c; echo '{"began": "'$PWD'/test/b.test.ts"}'; } >"\${HOOKWARDEN_TEST_REPORT}l"
bash -c 'echo $$ >hangs; sleep 100000; exit'
`;

/** A double of `npx vitest run` that hangs in the first of two files, unless it is asked for files by name. */
const startingVitest = `#!/usr/bin/env bash
if [ -n "$3" ]; then
  echo '{"testResults": [{"name": "'$PWD/$3'", "status": "passed", "message": "", "assertionResults": [{"fullName": "x", "status": "passed"}]}]}' >"$HOOKWARDEN_TEST_REPORT"
  exit
fi
{ echo '{"planned": ["'$PWD'/test/a.test.ts", "'$PWD'/test/b.test.ts"]}'; echo '{"began": "'$PWD'/test/b.test.ts"}'; } >"\${HOOKWARDEN_TEST_REPORT}l"
sleep 100000
`;

describe("a suite that hangs", () => {
  it.each(["exit", "counted"] as const)(
    "and is read by %s is ended with all its processes, and fails",
    async (reads) => {
      const command = "bash -c 'echo $$ >hangs; sleep 100000; exit'; echo '1 passed, 0 failed'";
      const { outcome, printed, folder } = await ran({ command, reads }, {}, 1_000);
      expect([outcome.passed, outcome.failures.length]).toEqual([0, 1]);
      expect(printed).toMatch(/printed nothing for 1 s and is ended; its processes:\n[\s\S]* S sleep 100000\n/);
      const pid = readFileSync(join(folder, "..", "hangs"), "utf8").trim();
      await expect.poll(() => isRunning(pid)).toBe(false);
    },
  );
  it("runs the test file that did not end once more, alone, and counts the others as they ended", async () => {
    const suite = { command: "npx vitest run", reads: "vitest", again: true } as const;
    const { outcome } = await ran(suite, { "bin/npx": hangingVitest }, 1_000);
    expect(outcome).toMatchObject({
      passed: 3,
      failures: [],
      flaky: [{ file: "test/b.test.ts", message: "it did not end: the run hung" }],
    });
  });
  it("because it prints for ever is ended, too", async () => {
    const command = "while true; do echo x; sleep 0.1; done";
    const { outcome, printed } = await ran({ command, reads: "exit" }, {}, 60_000, 1_500);
    expect([outcome.passed, outcome.failures.length]).toEqual([0, 1]);
    expect(printed).toContain("== it ran for 1.5 s and is ended; its processes:\n");
  });
  it.each([
    ["runs the files that had not begun, and calls them neither flaky nor failed", true, 2, ["test/b.test.ts"], []],
    [
      "fails with the files that had not begun where nothing runs again",
      false,
      0,
      [],
      ["test/a.test.ts", "test/b.test.ts"],
    ],
  ] as const)("%s", async (_, isAgain, passed, flaky, failed) => {
    const suite = { command: "npx vitest run", reads: "vitest", again: isAgain } as const;
    const { outcome } = await ran(suite, { "bin/npx": startingVitest }, 1_000);
    expect(outcome.passed).toBe(passed);
    expect(outcome.flaky.map(({ file }) => file)).toEqual(flaky);
    expect(outcome.failures.map(({ file }) => file).sort()).toEqual(failed);
  });
  it("names the file of a run whose process died without a report", async () => {
    const suite = { command: "npx vitest run", reads: "vitest", again: false } as const;
    const { outcome } = await ran(suite, { "bin/npx": startingVitest.replace("sleep 100000", "kill -9 $$") });
    expect(outcome.failures).toContainEqual(
      expect.objectContaining({ file: "test/b.test.ts", message: "it did not end: the run was ended" }),
    );
  });
  it("and left a process with its output open is read without waiting for that process", async () => {
    const { outcome, folder } = await ran({ command: "sleep 100000 & echo $! >hangs", reads: "exit" });
    expect(outcome.passed).toBe(1);
    process.kill(Number(readFileSync(join(folder, "..", "hangs"), "utf8")), "SIGKILL");
  });
});

/** True if a process runs; one that has ended and waits for its parent does not. */
function isRunning(pid: string): boolean {
  return spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.replace(/^Z.*/, "").trim() !== "";
}

describe("suites beside each other", () => {
  const place = (root: string, said: string[]) => ({
    root,
    folder: join(root, "logs"),
    print: (text: string): void => void said.push(text),
  });
  const folder = (): string => {
    const root = join(top, `beside-${count++}`);
    mkdirSync(root, { recursive: true });
    return root;
  };

  it("wait for nothing but their own lane, and print one after the other", async () => {
    const said: string[] = [];
    // Each waits for what the other makes, so that neither ends without the other.
    const [one, other] = [
      "touch a; until [ -e b ]; do sleep 0.05; done",
      "touch b; until [ -e a ]; do sleep 0.05; done",
    ];
    const outcomes = await runLanes(
      [
        [{ name: "other", command: `${other}; echo said by the other`, reads: "exit" }],
        [{ name: "one", command: `${one}; echo "1 passed, 0 failed"`, reads: "counted" }],
      ],
      place(folder(), said),
    );
    expect(outcomes.map(({ suite, passed }) => [suite, passed])).toEqual([
      ["other", 1],
      ["one", 1],
    ]);
    const text = said.join("");
    expect(text.indexOf("said by the other")).toBeLessThan(text.indexOf("== one:"));
  });

  it("run nothing again before every lane has ended", async () => {
    const top = folder();
    const fails = `[ -e ended ] && echo "1 passed, 0 failed" || { touch failed; echo "0 passed, 1 failed"; exit 1; }`;
    const [first, second] = await runLanes(
      [
        [{ name: "one", command: fails, reads: "counted", again: true }],
        [{ name: "other", command: "until [ -e failed ]; do sleep 0.05; done; sleep 0.2; touch ended", reads: "exit" }],
      ],
      place(top, []),
    );
    expect([first?.failures, first?.flaky.length, second?.failures]).toEqual([[], 1, []]);
  });

  it.each([
    [
      "passes then",
      "[ -e ran ] && echo '1 passed, 0 failed' || { touch ran; echo '0 passed, 1 failed'; exit 1; }",
      0,
      1,
    ],
    ["fails again", "echo '0 passed, 1 failed'; exit 1", 1, 0],
  ])("run once more alone what fails: it %s", async (_, command, failed, flaky) => {
    const suite: Suite = { name: "one", command, reads: "counted", again: true };
    const [outcome] = await runLanes([[suite]], place(folder(), []));
    expect([outcome?.failures.length, outcome?.flaky.length]).toEqual([failed, flaky]);
  });
});
