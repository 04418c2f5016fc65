import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { load } from "../../../adapters/pi/entry.ts";
import { PoliciesOnDisk, policiesOf } from "../../../adapters/pi/policies-on-disk.ts";
import { distrust, trust } from "../../../store/trust.ts";
import "../../properties/seed.ts";

/** What a process remembers of policies on disk, and plans that were compiled before, never hide that something has changed. */
let root = "";
let home = "";
let project = "";
let state = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-pi-disk-")));
  home = join(root, "home");
  project = join(root, "project");
  state = join(home, ".local/state/hookwarden");
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", undefined);
  mkdirSync(project, { recursive: true });
  mkdirSync(join(home, ".config/hookwarden"), { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const policy = (word: string) => `version: 1
policy: p
rules:
  - { id: block, event: tool_call, tool: read, when: { args.path: { ends_with: ${word} } }, action: block, reason: no ${word} }
`;

/** A clock that is well past every change, so that what was read is remembered. */
const settled = () => Date.now() + 60_000;

const put = (path: string, text: string) => {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
};

describe("PoliciesOnDisk", () => {
  const steps = [
    "user",
    "project",
    "remove",
    "rename",
    "folder",
    "trust",
    "distrust",
    "times",
    "git",
    "nothing",
  ] as const;

  const change: Readonly<Record<(typeof steps)[number], (n: number) => void>> = {
    user: (n) => put(join(home, ".config/hookwarden/a.yaml"), policy(`u${n % 3}`)),
    project: (n) => put(join(project, ".hookwarden/p.yaml"), policy(`p${n % 3}`)),
    remove: () => rmSync(join(project, ".hookwarden"), { recursive: true, force: true }),
    rename: () => {
      const folder = join(home, ".config/hookwarden");
      const [name] = readdirSync(folder).filter((one) => one.endsWith(".yaml"));
      if (name !== undefined) renameSync(join(folder, name), join(folder, `r${name}`));
    },
    folder: (n) => put(join(project, ".hookwarden/deep/policy.yaml"), policy(`d${n % 3}`)),
    trust: (n) => trust(state, [{ path: "p", digest: `sha256:${n % 3}`, time: "" } as never]),
    distrust: (n) => distrust(state, [`sha256:${n % 3}`]),
    times: () => utimesSync(join(home, ".config/hookwarden"), 1, 1),
    git: () => mkdirSync(join(root, ".git"), { recursive: true }),
    nothing: () => undefined,
  };

  it("gives what one that remembers nothing gives, whatever happens on disk", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(5)), { maxLength: 12 }), (all) => {
        const disk = new PoliciesOnDisk({ cwd: project }, state, settled);
        for (const [step, n] of all) {
          change[step](n);
          expect(disk.fingerprint()).toBe(new PoliciesOnDisk({ cwd: project }, state).fingerprint());
        }
      }),
      { numRuns: 25 },
    );
  });

  it("reads nothing anew while nothing has changed", () => {
    put(join(home, ".config/hookwarden/a.yaml"), policy("one"));
    const disk = new PoliciesOnDisk({ cwd: project }, state, settled);
    const first = disk.fingerprint();
    const read = vi.spyOn(Buffer, "from");
    expect(disk.fingerprint()).toBe(first);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  it("does not rest on what was changed just now", () => {
    put(join(home, ".config/hookwarden/a.yaml"), policy("one"));
    const disk = new PoliciesOnDisk({ cwd: project }, state);
    disk.fingerprint();
    const read = vi.spyOn(Buffer, "from");
    disk.fingerprint();
    expect(read).toHaveBeenCalled();
    read.mockRestore();
  });

  it("knows files that are named, and packs", () => {
    const file = join(root, "named.yaml");
    put(file, policy("one"));
    const places = { cwd: project, policies: [file, "pack:shell-safety"] };
    expect(policiesOf(places).files).toHaveLength(2);
    const disk = new PoliciesOnDisk(places, state, settled);
    const first = disk.fingerprint();
    put(join(project, ".hookwarden/p.yaml"), policy("not named"));
    expect(disk.fingerprint()).toBe(first);
    put(file, policy("two"));
    expect(disk.fingerprint()).not.toBe(first);
  });
});

describe("a plan that was compiled before", () => {
  const plans = () => join(state, "plans");
  const options = () => ({ cwd: project });
  const planOf = async () => {
    const found = await load(options());
    if ("code" in found) throw new Error(found.message);
    return found.plan;
  };

  it("is taken from the cache, and is the same", async () => {
    put(join(home, ".config/hookwarden/a.yaml"), policy("one"));
    const first = await planOf();
    expect(readdirSync(plans())).toHaveLength(2);
    expect(await planOf()).toEqual(first);
    expect(readdirSync(plans())).toHaveLength(2);
  });

  it("is not taken where anybody changed it", async () => {
    put(join(home, ".config/hookwarden/a.yaml"), policy("one"));
    const first = await planOf();
    for (const name of readdirSync(plans())) writeFileSync(join(plans(), name), "{}");
    expect(await planOf()).toEqual(first);
  });

  it("is not taken for other policies, an import among them", async () => {
    const file = join(home, ".config/hookwarden/a/policy.yaml");
    put(
      file,
      `version: 1\npolicy: q\nimports: [{ file: ./more.inc }]\n${policy("one").split("\n").slice(2).join("\n")}`,
    );
    put(join(home, ".config/hookwarden/a/more.inc"), policy("two"));
    const first = await planOf();
    put(join(home, ".config/hookwarden/a/more.inc"), policy("three"));
    const second = await planOf();
    expect(JSON.stringify(first)).toContain("two");
    expect(JSON.stringify(second)).toContain("three");
  });

  it("closes the session where the policies do not load, as without a cache", async () => {
    rmSync(join(home, ".config"), { recursive: true });
    expect(await load(options())).toMatchObject({ code: "HW012" });
    put(join(home, ".config/hookwarden/a.yaml"), "version: 1\nrules: nonsense\n");
    expect(await load(options())).toMatchObject({ code: "HW508" });
  });
});
