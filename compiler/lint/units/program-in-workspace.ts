import { child, entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a `run` names its program by a relative path without a digest. */
export const programInWorkspace: Lint = {
  code: "HW645",
  name: "program-in-workspace",
  why: "A relative path lies in the workspace, where the agent writes: it could change the program that judges it. So such a program runs with a `digest` only, and without one the rule answers with an error.",
  advice: "Give `digest: sha256:…` of the file, or install the program outside and name it by its absolute path.",
  bad: [
    {
      title: "a script of the repository",
      at: ["scripts/scan.sh"],
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: { run: { command: [scripts/scan.sh, --fast] } }
    reason: the scanner decides
`,
    },
  ],
  good: [
    {
      title: "with a digest, or outside the workspace",
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: { run: { command: [./scan.sh], digest: "sha256:${"0123456789abcdef".repeat(4)}" } }
    reason: the scanner decides
  - id: outside
    event: tool_call
    tool: bash
    action: [{ run: { command: [/usr/local/bin/scan] } }, { run: { command: [scan, ./rules] } }]
    reason: the scanner decides
`,
    },
  ],
  rule({ draft }) {
    return draft.actions.flatMap(({ name, parameters }) => {
      const [program] = name === "run" && parameters ? strings(child(parameters, "command")) : [];
      if (!program || entry(parameters, "digest") || !isRelativePath(program.value)) return [];
      return [
        {
          span: program.node.span,
          message: `\`${program.value}\` lies in the workspace and does not run without a \`digest\``,
          help: "give `digest: sha256:…` of the file, or an absolute path outside the workspace",
        },
      ];
    });
  },
};

/** True for a relative path in the workspace: no bare name, which `PATH` resolves, and no absolute path of any operating system. */
function isRelativePath(program: string): boolean {
  if (!/[/\\]/.test(program) || /^(?:[/\\~]|[A-Za-z]:)/.test(program)) return false;
  return !program.split(/[/\\]/).includes("..");
}
