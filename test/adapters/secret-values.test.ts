import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { liveSecretValues } from "../../adapters/secret-values.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type SecretAnswer } from "../../schema/ports.ts";

const folder = mkdtempSync(join(tmpdir(), "hookwarden-values-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

const read = liveSecretValues({
  ONE: "first value",
  EMPTY: " ",
  KEY: `-----BEGIN X-----\n${"a1".repeat(20)}\n-----END`,
});

describe("liveSecretValues", () => {
  it("gives set variables and the names of those that are not", () => {
    expect(read({ env: ["ONE", "EMPTY", "NONE", "toString"] })).toEqual({
      values: [{ name: "ONE", value: "first value" }],
      missing: ["EMPTY", "NONE", "toString"],
    });
  });
  it("gives the long lines of a value of several too", () => {
    const { values } = read({ env: ["KEY"] }) as SecretAnswer;
    expect(values.map(({ value }) => value)).toContain("a1".repeat(20));
    expect(values).toHaveLength(2);
  });
  it("gives the lines of a file, named by place, without comments and empty ones", () => {
    const path = file("some", "first secret\r\n\n# no secret\n  second secret \n");
    expect(read({ env: [], file: path })).toEqual({
      values: [
        { name: `${path}:1`, value: "first secret" },
        { name: `${path}:4`, value: "second secret" },
      ],
      missing: [],
    });
  });
  it.each([
    ["there is none", () => join(folder, "absent")],
    ["others may read it", () => file("open", "a secret", 0o644)],
    ["it has more than", () => file("large", "x".repeat(limits.secretFileBytes + 1))],
    ["it is no text", () => file("binary", new Uint8Array([0xff, 0xfe, 0xff]))],
    [
      "it is no file",
      () => {
        mkdirSync(join(folder, "folder"));
        return join(folder, "folder");
      },
    ],
  ])("says that a file cannot be read: %s", (why, path) => {
    const answer = read({ env: [], file: path() });
    expect(answer).toBeInstanceOf(EvaluationError);
    expect((answer as EvaluationError).message).toContain(why);
    expect((answer as EvaluationError).message).toContain(folder);
  });
});
