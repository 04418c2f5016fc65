import { otherHome } from "./place-marks.ts";
import type { WrongShape } from "./wrong-shape.ts";

/** Places that facts have as texts: they are absolute, and nothing in them is left to resolve. */

const why = "it is an absolute path";

/** Returns the fault of a text that is compared with one form of a path. `operator` is that of a YAML test. */
export function placeText(text: string, operator: string): WrongShape | undefined {
  const relative = unresolved(text, operator);
  if (relative) return { why: relative, help: "test the place that is meant" };
  const home = otherHome(text, operator);
  if (home) return home;
  if (/^~\/?$/.test(text) && operator === "starts_with") return { why, help: "test the path itself: `{ is: home }`" };
  if (!begins(text, operator)) return undefined;
  return { why, help: `test the path itself, which knows \`~\` and the project: \`${placeTest(text, operator)}\`` };
}

/** The same for the folder that a command runs in, which is a text alone. */
export function folderText(text: string, operator: string): WrongShape | undefined {
  const relative = unresolved(text, operator);
  if (relative) return { why: relative, help: "test the place that is meant" };
  const home = otherHome(text, operator);
  if (home) return home;
  if (begins(text, operator)) {
    const place = /[*?[{]/.test(text) ? `.glob("${text}")` : `.within("${bare(text)}")`;
    return { why, help: `test it as a place, which knows \`~\` and the project: \`path(c.cwd)${place}\`` };
  }
  const isEnd = ["equals", "in", "ends_with"].includes(operator) && /[^/]\/$/.test(text);
  const instead = text.replace(/\/+$/, "");
  return isEnd ? { why: "a folder does not end in a slash", help: `write \`${instead}\``, instead } : undefined;
}

function unresolved(text: string, operator: string): string | undefined {
  const isRelative = /(?:^|\/)\.\.?(?:\/|$)/.test(text) && /\.\.|^\.\//.test(text) && operator !== "glob";
  return isRelative ? "facts have whole places, in which `.` and `..` are resolved" : undefined;
}

/** True for a text that the beginning of an absolute path is compared with, and that is none. */
function begins(text: string, operator: string): boolean {
  return (
    ["equals", "in", "starts_with", "glob"].includes(operator) && text !== "" && !/^(?:[/\\*?[{]|[A-Za-z]:)/.test(text)
  );
}

const bare = (text: string): string => text.replace(/\/+$/, "");

/** Returns the test of a place for a text that begins or names one. A glob does not end in a slash. */
function placeTest(text: string, operator: string): string {
  if (/[*?[{]/.test(text)) return `{ glob: "${/\/$/.test(text) ? `${text}**` : text}" }`;
  return /\/$/.test(text) || operator === "starts_with" ? within(text) : `{ glob: "${text}" }`;
}

const within = (text: string): string =>
  `{ within: ${text.startsWith("~/") || /^[\w]/.test(text) ? bare(text) : `"${bare(text)}"`} }`;

/** Returns the test of a place for the name of one with a slash: a folder may be anywhere. */
export function namedPlace(text: string): string {
  if (!/\/$/.test(text)) return `{ glob: "${text}" }`;
  return `{ glob: "${text.startsWith("/") ? "" : "**/"}${bare(text)}/**" }`;
}
