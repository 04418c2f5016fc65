import { expect } from "vitest";
import { createEngine } from "../../runtime.ts";
import { code, type Section } from "./document.ts";
import { compileTexts, givenBy, rendered, withHead } from "./policies.ts";

/** Where the calls of a document happen, unless they say otherwise. */
const home = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };

function wireEvent(cell: string, given: object): object {
  const text = code(cell);
  const environment = { ...home, ...given };
  if (!text.startsWith("{")) return { event: "tool_call", tool: "bash", args: { command: text }, environment };
  const parsed = JSON.parse(text) as Record<string, unknown>;
  return { event: "tool_call", ...parsed, environment: { ...environment, ...(parsed["environment"] as object) } };
}

/**
 * The whole disk of a section, where a `files` block says it: a path in each line, relative ones in the workspace, one that ends in a slash is a
 * folder, `a -> b` a link, and what stands behind `: ` is the text of a file, `\n` its line breaks.
 */
export function diskOf({ blocks }: Section): { readonly files?: Readonly<Record<string, object>> } {
  const block = blocks.find(({ language }) => language === "files");
  if (!block) return {};
  const files = block.text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): [string, object] => {
      const [, name = "", symlink, text] = /^(\S+)(?: -> (\S+)|: (.*))?$/.exec(line) ?? [];
      const path = name.startsWith("/") ? name : `${home.cwd}/${name}`;
      if (symlink !== undefined) return [path, { symlink }];
      return [path, name.endsWith("/") ? { directory: true } : { text: (text ?? "").replaceAll("\\n", "\n") }];
    });
  return { files: Object.fromEntries(files) };
}

/**
 * Carries out one section: its policies compile, or say what its `text` block says; each row of its tables
 * (`| call | outcome | by | reason | changes |`: a command or an event, the outcome, the rule or who else answered, the reason,
 * what changed) is judged. Events of one section are of one session. `update` is given what the `text` block should say.
 */
export function judgeSection(section: Section, update?: (said: string) => void): void {
  const blocks = section.blocks.filter((b) => b.language === "yaml");
  const [texts, given] = givenBy(blocks.map((b) => ({ info: b.info, text: withHead(b.text) })));
  const result = compileTexts(texts, given);
  const text = section.blocks.find((b) => b.language === "text");
  if (text) {
    if (update) update(rendered(result));
    else expect(rendered(result)).toBe(text.text);
    expect(result.plan === undefined).toBe(/^error\[(?!HW403)/m.test(rendered(result)));
  } else
    expect(
      rendered(result)
        .split("\n")
        .filter((line) => line.startsWith("error")),
    ).toEqual([]);
  const engine = createEngine(result.plan);
  const disk = diskOf(section);
  for (const row of section.rows) {
    const approval = approvalOf(row[0] ?? "");
    if (approval) expect(engine.answer(approval), row[0]).toBe(true);
    else judgeRow(row, disk, (event) => engine.decide(event).decision);
  }
}

/** A row that is a human's answer: `{"event": "approval", "of": id, "answer": "allow"}`. */
function approvalOf(cell: string): { of: string; answer: "allow" | "deny"; by: string } | undefined {
  const given = code(cell);
  if (!given.startsWith("{")) return undefined;
  const { event, of, answer } = JSON.parse(given) as Record<string, unknown>;
  if (event !== "approval") return undefined;
  return { of: String(of), answer: answer === "allow" ? "allow" : "deny", by: "user" };
}

type Decide = (event: object) => ReturnType<ReturnType<typeof createEngine>["decide"]>["decision"];

/** `by` may end in `, with an error` where somebody else answered and an error is only on record. */
function judgeRow(
  [call = "", outcome, answerer = "", reason = "", changes = ""]: readonly string[],
  disk: object,
  decide: Decide,
): void {
  const [by = "", recorded] = answerer.split(/(, with an error)$/);
  const decision = decide(wireEvent(call, disk));
  const who = decision.answered === "rule" ? decision.rule : decision.answered;
  expect(`${decision.outcome} ${by === "" ? "" : who}`, `${call} ${JSON.stringify(decision)}`).toBe(
    `${outcome} ${by === "" ? "" : code(by)}`,
  );
  expect(decision.errors.length > 0, call).toBe(by === "error" || recorded !== undefined);
  if (reason !== "") expect(decision.reason, call).toBe(code(reason));
  if (changes !== "") expect(decision.changes, call).toEqual(JSON.parse(code(changes)));
}

/** What expressions of a document can see beside the fixed roots, as dyn values. */
const args = { text: "abc", n: 3, list: [1, 2, 3], map: { a: 1 }, nothing: null };

/**
 * Carries out a section without a policy, whose table is `| expression | is | … |`: what the expression gives is another
 * expression, `error` for an error value, or the code of the finding that refuses it.
 */
export function judgeExpressions(section: Section): void {
  for (const [written = "", gives = ""] of section.rows)
    expect(`${written}: ${given(code(written), code(gives))}`).toBe(`${written}: ${code(gives)}`);
}

function given(expression: string, gives: string): string {
  const isCode = /^HW\d{3}$/.test(gives);
  const condition = isCode || gives === "error" ? `dyn(${expression}) == dyn(0)` : `(${expression}) == (${gives})`;
  const { plan, diagnostics } = compileTexts({
    "policy.yaml": withHead(
      `- id: r\n  event: tool_call\n  tool: "mcp__t__*"\n  when: |\n    ${condition.replaceAll("\n", "\n    ")}\n  action: block\n  reason: no\n`,
    ),
  });
  const errors = diagnostics.filter((d) => d.severity === "error").map((d) => d.code);
  if (!plan) return [...new Set(errors)].join(" ");
  const event = { event: "tool_call", tool: "mcp__t__run", args, time: "2026-11-21T20:05:09Z", environment: home };
  const { answered, outcome, errors: faults } = createEngine(plan).decide(event).decision;
  if (answered === "error") return faults.some((fault) => fault.code === "HW502") ? "error" : `${faults[0]?.code}`;
  return outcome === "block" ? gives : "something else";
}
