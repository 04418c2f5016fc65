/** One sentence of a seed in our words, with the tests that prove it: `<file> > <name of the test>`. */
export interface Requirement {
  readonly id: string;
  readonly seed: string;
  readonly section: string;
  readonly requirement: string;
  readonly tests: readonly string[];
  /** How the row stands to the real host, where a case that simply agrees is not all there is to say. */
  readonly mark?: HostMark;
}

/**
 * How a row stands to the real host. `ours`: it speaks about our own product, and no host could show it. `unseen`: it speaks
 * about the host, and no case sees it. `differs`: a case sees it, and a real version does otherwise. Each with the reason.
 */
export interface HostMark {
  readonly kind: "ours" | "unseen" | "differs";
  readonly reason: string;
}

/** Marks a row that speaks about our own product. */
export const ours = (reason: string): HostMark => ({ kind: "ours", reason });
/** Marks a row about the host of which no case can be made, with why. */
export const unseen = (reason: string): HostMark => ({ kind: "unseen", reason });
/** Marks a row whose case shows that a real version of the host does otherwise, with what it does. */
export const differs = (reason: string): HostMark => ({ kind: "differs", reason });

/** Rows of one section: id, requirement, then tests and at most one mark. */
export function requirements(
  seed: string,
  section: string,
  rows: readonly (readonly [id: string, requirement: string, ...proofs: (string | HostMark)[]])[],
): Requirement[] {
  return rows.map(([id, requirement, ...proofs]) => {
    const tests = proofs.filter((proof) => typeof proof === "string");
    const mark = proofs.find((proof) => typeof proof !== "string");
    return { id, seed, section, requirement, tests, ...(mark ? { mark } : {}) };
  });
}

/** The tests of one file, by their titles. */
export const testOf =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`;

/** A test of `test/adapters/hooks/tool-call.test.ts`. */
export const toolCall = testOf("test/adapters/hooks/tool-call.test.ts");
/** A test of `test/adapters/hooks/tool-result.test.ts`. */
export const toolResult = testOf("test/adapters/hooks/tool-result.test.ts");
/** A test of `test/adapters/hooks/agent-events.test.ts`. */
export const agentEvents = testOf("test/adapters/hooks/agent-events.test.ts");
/** A test of `test/adapters/hooks/session-events.test.ts`. */
export const sessionEvents = testOf("test/adapters/hooks/session-events.test.ts");
/** A test of `test/adapters/hooks/user-events.test.ts`. */
export const userEvents = testOf("test/adapters/hooks/user-events.test.ts");
/** A test of `test/adapters/hooks/surface.test.ts`. */
export const surface = testOf("test/adapters/hooks/surface.test.ts");
/** A test of `test/adapters/hooks/ui.test.ts`. */
export const ui = testOf("test/adapters/hooks/ui.test.ts");
/** A test of `test/adapters/hooks/loader.test.ts`. */
export const loader = testOf("test/adapters/hooks/loader.test.ts");
/** A test of `test/adapters/hooks/hook-modules.test.ts`. */
export const modules = testOf("test/adapters/hooks/hook-modules.test.ts");
/** A test of `test/adapters/hooks/policy.test.ts`. */
export const policy = testOf("test/adapters/hooks/policy.test.ts");
/** A test of `test/adapters/hooks/run.test.ts`. */
export const run = testOf("test/adapters/hooks/run.test.ts");
/** A test of `test/adapters/hooks/agent-loop.test.ts`. */
export const loop = testOf("test/adapters/hooks/agent-loop.test.ts");
/** A test of `test/adapters/hooks/session-changes.test.ts`. */
export const changes = testOf("test/adapters/hooks/session-changes.test.ts");
/** A test of `test/adapters/hooks/payloads.test.ts`. */
export const payloads = testOf("test/adapters/hooks/payloads.test.ts");
/** A test of `test/adapters/hooks/hook-faults.test.ts`. */
export const faults = testOf("test/adapters/hooks/hook-faults.test.ts");
/** A test of `test/adapters/hooks/policy.properties.test.ts`. */
export const properties = testOf("test/adapters/hooks/policy.properties.test.ts");
/** A test of `test/adapters/hooks/gate-events.test.ts`. */
export const engine = testOf("test/adapters/hooks/gate-events.test.ts");
/** A test of `test/spec/profiles.md`. */
export const profile = testOf("test/spec/profiles.md");
/** A test of `test/adapters/hooks/agent-faults.test.ts`. */
export const agentFaults = testOf("test/adapters/hooks/agent-faults.test.ts");
/** A test of `test/adapters/hooks/agent-messages.test.ts`. */
export const agentMessages = testOf("test/adapters/hooks/agent-messages.test.ts");
/** A test of `test/adapters/hooks/user-commands.test.ts`. */
export const userCommands = testOf("test/adapters/hooks/user-commands.test.ts");
/** A test of `test/seeds/examples.test.ts`. */
export const examples = testOf("test/seeds/examples.test.ts");
/** A test of `test/seeds/names.test.ts`. */
export const names = testOf("test/seeds/names.test.ts");
/** A test of `test/adapters/interrupts/interrupts.heavy.test.ts`. */
export const interrupts = testOf("test/adapters/interrupts/interrupts.heavy.test.ts");
/** A test of `test/adapters/hooks/bad-modules.test.ts`. */
export const badModules = testOf("test/adapters/hooks/bad-modules.test.ts");
/** A test of `test/adapters/hooks/loop-session.test.ts`. */
export const loopSession = testOf("test/adapters/hooks/loop-session.test.ts");
