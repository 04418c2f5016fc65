import type { WrongShape } from "./wrong-shape.ts";

/** Fields with texts in which a percent sign or three dots hardly stand for themselves. */
const fields: ReadonlySet<string> = new Set([
  ...["command.text", "command.program", "config_change.target", "kill.target", "run.target", "install.name"],
  ...["url.host", "push_target.branch", "push.remote", "tool.name", "path.name", "path"],
]);

/**
 * Finds the wildcard of another language: `%` of SQL's LIKE at an end of a text, and `...` of semgrep between words. `operator`
 * is that of a YAML test.
 */
export function foreignWildcard(field: string, text: string, operator: string): WrongShape | undefined {
  if (text.length > 1_000) return undefined;
  const like = /^%([^%]{2,})%$/.exec(text)?.[1];
  if (
    like !== undefined &&
    (operator === "contains" || operator === "equals" || operator === "in") &&
    !/^\w+$/.test(like)
  )
    return { why: "`%` stands for itself here", help: `write \`{ contains: "${like}" }\`` };
  if (!fields.has(field)) return undefined;
  const prefix =
    field === "command.text" && operator !== "matches" ? /^([\w./-]+(?: [\w./-]+)*):\*$/.exec(text)?.[1] : undefined;
  if (prefix !== undefined)
    return { why: "`:*` stands for itself here", help: `write \`{ starts_with: "${prefix} " }\`` };
  const isWhole = operator === "equals" || operator === "in" || operator === "glob";
  const isLike =
    isWhole && field !== "command.text" && /^%[^%]|[^%]%$/.test(text) && !/%[0-9A-Fa-f]{2}|%\w+%/.test(text);
  const dots = operator !== "matches" && field === "command.text" ? /(?<=^|[ (])\.\.\.(?=$|[ )])/g : undefined;
  if (!isLike && !dots?.test(text)) return undefined;
  const sign = isLike ? "%" : "...";
  const instead = isLike ? text.replace(/^%|%$/g, "*") : text.replace(dots as RegExp, "*");
  return { why: `\`${sign}\` stands for itself here`, help: `write \`{ glob: "${instead}" }\`` };
}
