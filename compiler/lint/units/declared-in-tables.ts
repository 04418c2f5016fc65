import type { Span } from "../../../diagnostics/source.ts";
import { shown } from "../../../diagnostics/suggest.ts";
import { hasFileTable } from "../../../facts/effects/file-tools.ts";
import { spend } from "../../../facts/meter.ts";
import { isKnown } from "../../../facts/programs/registry.ts";
import { programName } from "../../../facts/shell/names.ts";
import { canonicalTool, toolAliases, toolArguments } from "../../../schema/tools.ts";
import type { ProgramDraft } from "../../policy-draft.ts";
import type { Finding, Lint } from "../lint.ts";

/** Lint: a policy declares a program or tool that the tables have, perhaps since an update. */
export const declaredInTables: Lint = {
  code: "HW689",
  name: "declared-in-tables",
  why: "Tables grow with updates, and a policy must go on to load. The row of the tables stays, because rules that restrict the program rest on it: a call has its effects and those of the declaration, and a call of an alias counts as both programs.",
  advice:
    "Leave the declaration out if it says nothing more than the tables, or give the program a name of its own. Rules reach a program of the tables by its name, wherever it lies.",
  bad: [
    {
      title: "a program and a wrapper of the tables, and a tool that every host has",
      at: ["terraform", "sudo", "read_file"],
      policy: `version: 1
policy: example
programs:
  terraform: { effects: [] }
  sudo: { wraps: rest }
tools: [{ name: read_file, effects: [] }]
rules: []
`,
    },
    {
      title: "another name that is a program of the tables",
      at: ["/usr/bin/git"],
      policy: `version: 1
policy: example
programs:
  deploy: { aliases: [/usr/bin/git, ./bin/deploy] }
rules: []
`,
    },
  ],
  good: [
    {
      title: "programs and tools of one's own",
      policy: `version: 1
policy: example
programs:
  our-terraform: { effects: [] }
  deploy: { aliases: [./bin/deploy] }
tools: [{ name: read_vault, effects: [] }]
rules: []
`,
    },
  ],
  besideErrors: true,
  policy({ draft }) {
    spend(4 * (draft.programs.size + draft.tools.size));
    const tools = [...draft.tools.values()].filter(({ claim }) => claim.effects !== undefined);
    return [
      ...[...draft.programs.values()].flatMap(ofProgram),
      ...tools.flatMap(({ claim: { name }, span }) => ofTool(name, span)),
    ];
  },
};

const nothingMore =
  "leave it out if it says nothing more: a declaration adds to the tables and replaces nothing of them";

function ofProgram({ claim: { name, aliases }, span, aliasSpans }: ProgramDraft): readonly Finding[] {
  spend(4 * aliases.length);
  const own = { span, message: `the tables have the program \`${shown(name)}\``, help: nothingMore };
  const others = aliases.flatMap((alias, i) => {
    const base = programName(alias);
    if (!isKnown(base)) return [];
    const message = `\`${shown(alias)}\` is the program \`${shown(base)}\` of the tables`;
    const help = `leave it out, or name another path or program: a call of it counts as \`${shown(base)}\` and as \`${shown(name)}\``;
    return [{ span: aliasSpans[i] as Span, message, help }];
  });
  return isKnown(name) ? [own, ...others] : others;
}

function ofTool(name: string, span: Span): readonly Finding[] {
  const canonical = canonicalTool(name);
  if (toolArguments(canonical) === undefined && !toolAliases.includes(name) && !hasFileTable(name)) return [];
  const message =
    canonical === name
      ? `the tables have the tool \`${shown(name)}\``
      : `\`${shown(name)}\` is the tool \`${canonical}\` of the tables`;
  return [{ span, message, help: nothingMore }];
}
