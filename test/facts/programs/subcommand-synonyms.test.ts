import { describe, expect, it } from "vitest";
import { describe as describeCommand } from "../../../facts/programs/describe.ts";
import { allSubcommandSynonyms, subcommandSynonyms } from "../../../facts/programs/subcommand-synonyms.ts";
import { literalField } from "../../../facts/shell/fields.ts";

const nowhere = { start: -1, end: -1 };

describe("subcommandSynonyms", () => {
  it.each(allSubcommandSynonyms())("%s: facts have each of the words %j as the subcommand", (program, words) => {
    const given = words.map((word) => describeCommand(program, [literalField(word, nowhere)]).subcommand);
    expect(given).toEqual(words);
  });

  it.each(allSubcommandSynonyms())("%s: the same row, or none, reads each of %j", (program, words) => {
    const rows = words.map((word) => describeCommand(program, [literalField(word, nowhere)]).sub);
    expect(new Set(rows).size).toBe(1);
  });

  it("names no word in two lines of a program", () => {
    const all = allSubcommandSynonyms().flatMap(([program, words]) => words.map((word) => `${program} ${word}`));
    expect(all).toHaveLength(new Set(all).size);
  });

  it("gives the other words of a line, in either direction, and none for another program", () => {
    expect(subcommandSynonyms("helm", "del")).toEqual(["uninstall", "delete", "un"]);
    expect(subcommandSynonyms("helm", "uninstall")).toContain("del");
    expect(subcommandSynonyms("kubectl", "delete")).toEqual([]);
    expect(subcommandSynonyms("npm", "constructor")).toEqual([]);
  });
});
