import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../compiler/never/absent-facts.ts";
import { readEvent } from "../../../facts/effects/event.ts";
import type { FileSystem } from "../../../schema/ports.ts";
import { canonicalTools, toolArguments } from "../../../schema/tools.ts";
import { emptyFiles, toolCall } from "../../facts/effects/judge.ts";

/** Kinds of text that an argument can hold: paths with a meaning, addresses, scripts and patches. */
const texts: readonly string[] = [
  ...[
    "a",
    "src/a.ts",
    "~/.ssh/id_rsa",
    "/etc/passwd",
    "../..",
    "/",
    ".",
    "~",
    "",
    "**/*.ts",
    "/dev/tcp/1.2.3.4/80",
    "-",
  ],
  ...[
    ".git/hooks/pre-commit",
    ".git/config",
    "Makefile",
    "package.json",
    ".env",
    "~/.bashrc",
    ".github/workflows/a.yml",
  ],
  ...[
    "https://example.com/x?y=1",
    "file:///etc/passwd",
    "ssh://host/x",
    "s3://bucket/x",
    "data:,x",
    "http://127.0.0.1",
  ],
  ...[
    "#!/bin/sh\ngit push origin main\n",
    "all:\n\tnpm install left\n",
    "*** Begin Patch\n*** Delete File: a\n*** End Patch",
  ],
];

/** A world where every name is a script. */
const scripts: FileSystem = { ...emptyFiles, readText: () => "#!/bin/sh\nnpm install left\ngit push\n" };

describe("facts that tools never have", () => {
  it("names tools and facts that there are", () => {
    for (const [tool, kinds] of Object.entries(factsOf)) {
      expect(canonicalTools).toContain(tool);
      for (const kind of kinds) expect(kind).toMatch(/^effects\.[a-z]+$/);
    }
  });

  it.each(Object.entries(factsOf))("calls of %s have none but %s", (tool, kinds) => {
    const names = [...Object.keys(toolArguments(tool) ?? {}), "urls", "method", "body", "paths", "cwd"];
    const value = fc.oneof(
      fc.constantFrom(...texts),
      fc.constantFrom<unknown>(1, true, null, [...texts], { path: "a" }),
    );
    const args = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
    fc.assert(
      fc.property(args, fc.constantFrom(emptyFiles, scripts), (given, files) => {
        const { shell, effects } = readEvent(toolCall(tool, given), files);
        expect(shell).toBeUndefined();
        const had = Object.entries(effects ?? {}).flatMap(([kind, list]) =>
          Array.isArray(list) && list.length > 0 ? [`effects.${kind}`] : [],
        );
        expect(kinds).toEqual(expect.arrayContaining(had));
      }),
      { seed: 20_261_128, numRuns: 3_000 },
    );
  });
});
