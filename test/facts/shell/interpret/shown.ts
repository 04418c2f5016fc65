import type { Analysis, NotUnderstood } from "../../../../facts/shell/analyse.ts";
import type { Draft, FoldedRedirect } from "../../../../facts/shell/draft.ts";
import { type Field, textOfField } from "../../../../facts/shell/fields.ts";
import { shownText } from "../../../../schema/approximation.ts";

/** One command as an analysis lists it, without `certain`. */
export interface Line {
  readonly text: string;
  readonly certain: boolean;
  /** It is not certain only because it may not be reached. */
  readonly possible?: true;
}

function word(field: Field): string {
  const text = field.kind === "unknown" ? shownText(textOfField(field)).replace(/⟨[^⟩]*⟩/g, "…") : field.text;
  return field.kind === "pattern" ? `<${text}>` : text;
}

function redirect({ operator, descriptor, target, data }: FoldedRedirect): string {
  const shown = target ? word(target) : data?.kind === "unknown" ? "(…)" : `(${data?.text ?? ""})`;
  return `${descriptor < 0 ? "" : descriptor}${operator}${shown}`;
}

function command(draft: Draft): string {
  const parts = [
    ...[...draft.env].map(([name, value]) => `${name}=${value.kind === "unknown" ? "…" : value.text}`),
    ...draft.wrappers.map((name) => `${name}:`),
    word(draft.name),
    ...draft.args.map(word),
    ...draft.redirects.map(redirect),
  ];
  const doubts = draft.doubts.length > 0 ? ` {${draft.doubts.join("; ")}}` : "";
  return `${parts.join(" ")} @${draft.cwd}${doubts}`;
}

/** The commands of an analysis, one a line, in the order in which they are listed. */
export function lines(analysis: Analysis | NotUnderstood): readonly Line[] {
  if (analysis.kind === "not_understood") return [{ text: `not understood: ${analysis.reason}`, certain: true }];
  return [
    ...analysis.drafts.map((draft) => ({
      text: command(draft),
      certain: draft.certain,
      ...(draft.possible ? { possible: true as const } : {}),
    })),
    ...analysis.loose.map((loose) => ({
      text: `loose ${redirect(loose.redirect)} @${loose.cwd}`,
      certain: loose.certain !== false,
      ...(loose.certain === false ? { possible: true as const } : {}),
    })),
    ...analysis.bombs.map((cwd) => ({ text: `bomb @${cwd}`, certain: true })),
  ];
}
