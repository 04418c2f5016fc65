import { describe, expect, it } from "vitest";
import { delayAttacks } from "./delays.ts";

/** Words of which the commands are made: nothing else may ever reach a host. */
const words =
  /^(?:true|ls|echo|sh|c|touch|FORBIDDEN|if|then|else|fi|case|in|esac|for|do|done|i|out\d|[a-fqxyz]\d*|[aE]+\d*|\d+|USER|dev|null|ab)$/;

describe("commands that delay an analysis", () => {
  it.each(delayAttacks)("$id is made of harmless words", ({ command }) => {
    const found = command.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && !/^a+$/.test(word));
    for (const word of new Set(found)) expect(word).toMatch(words);
    expect(command).not.toMatch(/[^|]\|[^|]*&|[^&]&[^&]|`/);
  });

  it("have a marker each", () => {
    expect(new Set(delayAttacks.map(({ command }) => command.split("touch ")[1])).size).toBe(delayAttacks.length);
  });
});
