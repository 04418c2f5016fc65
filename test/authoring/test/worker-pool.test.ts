import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAllMutants, runSuites } from "../../../authoring/test/worker-pool.ts";
import { threadBundle } from "../../../scripts/build/bundles.ts";
import { demoPolicy } from "../../cli/run.ts";

const root = join(import.meta.dirname, "..", "..", "..");
let folder: string;
let worker: string;

/** The worker as one module, since a thread cannot load TypeScript. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hookwarden-pool-"));
  worker = join(folder, "worker.mjs");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await build({ ...threadBundle(root, "authoring/test/worker.ts"), outfile: worker });
  writeFileSync(join(folder, "policy.yaml"), demoPolicy);
  for (let i = 0; i < 9; i++) writeFileSync(join(folder, `${i}.test.yaml`), suite(`suite-${i}`));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const suite = (name: string): string => `suite: ${name}
policies: [policy.yaml]
cases:
  - name: one
    events:
      - { event: tool_call, tool: bash, args: { command: touch FORBIDDEN }, expect: { outcome: block } }
`;
const request = (i: number) => ({ path: join(folder, `${i}.test.yaml`), name: `${i}.test.yaml`, coverage: true });

describe("threads", () => {
  it("give the reports of one thread, in the order of the suites", async () => {
    const requests = Array.from({ length: 9 }, (_, i) => request(i));
    expect(await runSuites(requests, { jobs: 2, worker })).toEqual(await runSuites(requests, { jobs: 1 }));
  });

  it("give the mutants of one thread, in the order of the text", async () => {
    const alone = await runAllMutants(request(0), { jobs: 1 });
    expect(alone.length).toBeGreaterThan(5);
    expect(await runAllMutants(request(0), { jobs: 3, worker })).toEqual(alone);
  });

  it("that fail make the run fail", async () => {
    const broken = join(folder, "broken.mjs");
    writeFileSync(broken, "throw new Error('no worker');\n");
    await expect(runAllMutants(request(0), { jobs: 2, worker: broken })).rejects.toThrow("no worker");
  });
});
