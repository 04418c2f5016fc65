/** One sentence of a seed in our words, with the tests that prove it: `<file> > <name of the test>`. */
export interface Requirement {
  readonly id: string;
  readonly seed: string;
  readonly section: string;
  readonly requirement: string;
  readonly tests: readonly string[];
}

/** Rows of one section: id, requirement, tests. */
export function requirements(
  seed: string,
  section: string,
  rows: readonly (readonly [id: string, requirement: string, ...tests: string[]])[],
): Requirement[] {
  return rows.map(([id, requirement, ...tests]) => ({ id, seed, section, requirement, tests }));
}

const testOf =
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
