import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canaryForms } from "../../adapters/install/canary-payloads.ts";
import { hookLine } from "../../adapters/install/command.ts";
import { type Ended, LineWorld } from "../adapters/one-shot/line-world.ts";
import { fakeSecret } from "../hosts/scratch.ts";
import { keyLikeWords, type PayloadShape, payloadForms, payloadShapes } from "./payloads.ts";

const policy = `version: 1
policy: payloads
title: What nobody may do, however its payload looks
default: allow
unknown: block

rules:
  - id: no-forbidden-file
    title: The marker files
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { glob: "**/FORBIDDEN*" } }
    action: block
    reason: the marker file may not be made

  - id: no-forbidden-store
    title: The marker files of a server
    event: tool_call
    tool: mcp__files__store
    when: { args.path: { glob: "**/FORBIDDEN*" } }
    action: block
    reason: the marker file may not be stored

  - id: hide-secrets
    title: Credentials in what the model reads
    event: tool_result
    action: { redact: { detectors: ["secrets/*"] } }
`;

const world = new LineWorld();
beforeAll(async () => {
  await world.build(policy);
  // Machines that run tests have much to do: what is tested is the answer, which here may come later than on a user's machine.
  const client = readFileSync(join(world.root, "bin/hookwarden-client.sh"), "utf8");
  world.write("bin/hookwarden-client.sh", client.replace(/^deadline=\d+$/m, "deadline=100"));
});
afterAll(() => world.remove());

const forbidden = "FORBIDDEN";

/** What the line that `install` writes for a host comes to with one payload. */
function ended(host: string, event: string, input: string): Promise<Ended> {
  return world.run("dash", {}, input, hookLine(host, event, world.place()));
}

/** The event that a call's line is wired for: Windsurf has one for each kind of call, by whose name the payload goes. */
function eventOf(host: string, text: string): string {
  return /"agent_action_name":"(\w+)"/.exec(text)?.[1] ?? payloadForms[host]?.before ?? "";
}

/** One shape as a host's call: undefined where the host has no such call. */
function callText(host: string, shape: PayloadShape, size: number, file: string): string | undefined {
  const form = payloadForms[host];
  const cwd = shape.cwd?.(size, world.project) ?? world.project;
  const payload = form?.call(shape.call(size, join(world.project, file)), cwd);
  if (payload === undefined) return undefined;
  const text = JSON.stringify(payload);
  return shape.text?.(text, size) ?? text;
}

const refused = (host: string, { code, out, err }: Ended): boolean =>
  canaryForms[host]?.refused({ code, stdout: out, stderr: err }) === true;

const rows = Object.keys(payloadForms).flatMap((host) =>
  payloadShapes.flatMap((shape) =>
    callText(host, shape, 1, forbidden) === undefined ? [] : [[host, shape.id, shape] as const],
  ),
);

/** One shape of each tool: what a host's payload has of these is understood, so that the other shapes are too. */
const oneOfEach: readonly string[] = ["patch-sections", "edits", "working-folder", "arguments", "values"];
/** A payload that says a name twice is refused however small it is, and by no rule. */
const refusedUnjudged = "same-names";
const controls = rows.filter(
  ([host, id]) => id !== refusedUnjudged && (host === "claude-code" || oneOfEach.includes(id)),
);

describe("the wired line answers", () => {
  it("every host whose payload comes on standard input", () => {
    const byInput = Object.keys(canaryForms).filter((host) => canaryForms[host]?.byVariables !== true);
    expect(Object.keys(payloadForms).sort()).toEqual(byInput.sort());
  });

  it.each(controls)(
    "%s: %s in small is judged by its rule",
    async (host, _id, shape) => {
      const text = callText(host, shape, shape.sizes[1], forbidden) ?? "";
      const event = eventOf(host, text);
      const small = await ended(host, event, text);
      expect([refused(host, small), `${small.out}${small.err}`]).toEqual([
        true,
        expect.stringContaining("the marker file"),
      ]);
      const other = await ended(host, event, callText(host, shape, shape.sizes[1], "other") ?? "");
      expect([other.code, refused(host, other), other.err]).toEqual([0, false, ""]);
    },
    240_000,
  );

  it.each(rows)(
    "%s: %s is refused, in the host's own form",
    async (host, _id, shape) => {
      const text = callText(host, shape, shape.sizes[0], forbidden) ?? "";
      const large = await ended(host, eventOf(host, text), text);
      expect([refused(host, large), large.out.slice(0, 500), large.err.slice(0, 500)]).toEqual([
        true,
        expect.anything(),
        expect.anything(),
      ]);
    },
    240_000,
  );

  const results = Object.keys(payloadForms).filter((host) => payloadForms[host]?.result !== undefined);

  it.each(results)("%s: a result of few words that look like keys is told without its secret", async (host) => {
    const { result, after = "" } = payloadForms[host] ?? {};
    const { code, out } = await ended(
      host,
      after,
      JSON.stringify(result?.(keyLikeWords(10, fakeSecret), world.project)),
    );
    expect([code === 0 || code === 2, out.includes(fakeSecret), out.includes("api_key")]).toEqual([true, false, true]);
  });

  it.each(results)(
    "%s: a result of 700,000 words that look like keys never tells its secret",
    async (host) => {
      const { result, after = "" } = payloadForms[host] ?? {};
      const text = JSON.stringify(result?.(keyLikeWords(700_000, fakeSecret), world.project));
      const { out } = await ended(host, after, text);
      expect([out.includes(fakeSecret), out.length > 2, typeof JSON.parse(out)]).toEqual([false, true, "object"]);
    },
    240_000,
  );
});
