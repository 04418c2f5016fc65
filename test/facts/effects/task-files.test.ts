import { describe, expect, it } from "vitest";
import { taskTexts } from "../../../facts/effects/task-files.ts";

/** Commands that are found in a file of a task runner. */
const found = (path: string, content: string): readonly string[] =>
  taskTexts(path, content, true).flatMap(({ texts }) => texts);

describe("sections of a file of tasks", () => {
  it.each<[string, string, string, readonly string[]]>([
    ["end with their brace", "deno.json", '{"tasks":{"a":"ls a"},"b":"ls b"}', ["ls a"]],
    [
      "go on behind braces in them",
      "deno.json",
      '{"tasks":{"a":{"c":"ls c"},"d":"ls d"},"b":"ls b"}',
      ["ls c", "ls d"],
    ],
    ["stand in one another", "deno.json", '{"tasks":{"tasks":{"c":"ls c"},"d":"ls d"},"b":"ls b"}', ["ls c", "ls d"]],
    [
      "step over braces in texts",
      "deno.json",
      '{"tasks":{"a":"echo }","c":"ls \\"}"},"b":"ls b"}',
      ["echo }", 'ls "}'],
    ],
    [
      "stand behind one another",
      "deno.json",
      '{"tasks":{"a":"ls a"},"b":"ls b","tasks":{"c":"ls c"}}',
      ["ls a", "ls c"],
    ],
    ["that do not close go on to the end", "deno.json", '{"tasks":{"a":{"c":"ls c"},"d":"ls d"', ["ls c", "ls d"]],
    ["in a text that is open", "deno.json", '{"a":"x, "tasks":{"c":"ls c"},"b":"ls b"}', ["ls c"]],
    ["go on to the next header", "pyproject.toml", '[tool.poe.tasks]\na = "ls a"\n[b]\nc = "ls c"\n', ["ls a"]],
    ["are each for themselves", "pyproject.toml", '[b]\nc = "ls c"\n[tool.poe.tasks.x]\na = "ls a"\n', ["ls a"]],
  ])("%s", (_, path, content, expected) => {
    expect(found(path, content)).toEqual(expected);
  });
});
