import { type WrongShape, without } from "./wrong-shape.ts";

/** Operators of YAML tests that take a place or a glob of places. */
const placed: ReadonlySet<string> = new Set(["glob", "within", "equals", "in"]);

/** Returns the fault of a text that is compared with a place: signs of shells, other globs, addresses and lists. */
export function placeMarks(text: string, operator: string): WrongShape | undefined {
  return (
    variable(text, operator) ??
    otherHome(text, operator) ??
    component(text, operator) ??
    (placed.has(operator) ? blanks(text) : undefined) ??
    (operator === "glob" ? (address(text) ?? otherGlob(text)) : undefined) ??
    (operator === "within" ? negated(text) : undefined) ??
    ofLetters(text, operator)
  );
}

function ofLetters(text: string, operator: string): WrongShape | undefined {
  if (operator === "starts_with" && text !== "" && !/^(?:\/|[A-Za-z]:)/.test(text)) {
    const folder = text.replace(/^\.\//, "").replace(/\/$/, "") || '"."';
    return {
      why: "a path begins with the root, and this looks at its letters",
      help: folder.includes("*") ? `write \`{ glob: "${folder}" }\`` : `write \`{ within: ${folder} }\``,
    };
  }
  if (operator === "glob")
    return without(text, /[^/]\/$/, text.replace(/\/+$/, "/**"), "a path does not end in a slash") ?? backslash(text);
  return operator === "ends_with"
    ? without(text, /[^/]\/$/, text.replace(/\/+$/, ""), "a path does not end in a slash")
    : undefined;
}

/** Finds a folder behind the sign with which other lists take one out. */
function negated(text: string): WrongShape | undefined {
  const folder = /^!(?=[\w./~-])(.+)$/s.exec(text)?.[1];
  if (folder === undefined) return undefined;
  return { why: "`!` is a letter of the folder's name", help: `write \`unless: { … { within: ${folder} } }\`` };
}

/** An address in place of a glob. */
function address(text: string): WrongShape | undefined {
  const rest = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(text)?.[1];
  return rest === undefined
    ? undefined
    : { why: "a glob of places has no scheme", help: `write \`${rest}\``, instead: rest };
}

/** Blanks round a place, and several places in one text. */
function blanks(text: string): WrongShape | undefined {
  const list = /^[\w./*~-]+(?:\s*[,;]\s+[\w./*~-]+)+$/.test(text) ? text.split(/\s*[,;]\s+/) : undefined;
  if (list) {
    const shown = list.map((one) => (/[*~]/.test(one) ? `"${one}"` : one)).join(", ");
    return { why: "that is one text and no list", help: `write the list \`[${shown}]\`` };
  }
  return without(text, /^\s|\s$/, text.trim(), "no place begins or ends with a blank");
}

/** Signs that other globs have: negation, blanks in braces, patterns of ksh, and `**` inside of a component. */
function otherGlob(text: string): WrongShape | undefined {
  const kept = /^!(.+)$/s.exec(text)?.[1];
  if (kept !== undefined)
    return { why: "a glob has no negation: `!` is a letter", help: `write \`unless: { … { glob: "${kept}" } }\`` };
  const braces = /\{[^{}]*,\s+[^{}]*\}/.exec(text)?.[0];
  if (braces !== undefined) {
    const instead = text.replace(braces, braces.replaceAll(/\s*,\s*/g, ","));
    return { why: "a blank in braces is a letter of the name", help: `write \`${instead}\``, instead, seen: "in part" };
  }
  if (/(?:^|\/)(?:[?+@!]\([^()]*\)|\*\([^()]*\|[^()]*\))/.test(text))
    return {
      why: "a glob takes parentheses as they are",
      help: "write `{a,b}`, or `matches` for a regular expression",
    };
  if (/^\^[\w/~.]|\]\+|\w\$$|\\[.dws]/.test(text))
    return {
      why: "a glob takes the signs of a pattern as they are",
      help: `write \`{ matches: '${text.slice(0, 80)}' }\``,
    };
  if (!/[^*]\/\*\*[^/*]/.test(text)) return undefined;
  const instead = text.replaceAll(/(?<=[^*]\/)\*\*(?=[^/*])/g, "**/*");
  return {
    why: "`**` beside other letters stays in one folder",
    help: `write \`${instead}\` for every folder beneath`,
    instead,
    seen: "in part",
  };
}

/** Finds a shell variable, which a policy does not expand. */
function variable(text: string, operator: string): WrongShape | undefined {
  const name = /^(?:\$\{?([A-Za-z_]\w*)\}?|%([A-Za-z_]\w*)%)(?=[/\\]|$)/.exec(text);
  if (!name || !["glob", "within", "equals", "in", "starts_with"].includes(operator)) return undefined;
  const rest = text.slice(name[0].length).replace(/\\/g, "/");
  const own = (name[1] ?? name[2] ?? "").toUpperCase();
  const instead =
    own === "HOME" || own === "USERPROFILE" ? `~${rest}` : own === "PWD" ? rest.slice(1) || "." : undefined;
  const help =
    instead === undefined
      ? "write the folder itself; a parameter stands alone, as in `within: $folder`"
      : `write \`${instead}\``;
  return { why: `\`${name[0]}\` is no variable here`, help, ...(instead !== undefined && { instead }) };
}

/** Finds the home of another user, which a shell would look up. The name of a file may begin with `~`. */
export function otherHome(text: string, operator: string): WrongShape | undefined {
  const [, user, rest = ""] = /^~([A-Za-z_][\w.-]*)(\/.*)?$/s.exec(text) ?? [];
  if (user === undefined || !["glob", "within", "equals", "in", "starts_with"].includes(operator)) return undefined;
  if (rest === "" && operator !== "within" && operator !== "starts_with") return undefined;
  const why = `\`~${user}\`, the home of another user, is not looked up here`;
  if (user === "root") return { why, help: `write \`/root${rest}\``, instead: `/root${rest}` };
  return { why, help: `write the folder itself: \`/home/${user}${rest}\`, on macOS \`/Users/${user}${rest}\`` };
}

/** Finds components that a place in facts never has: `.` and `..` are resolved, and so is the home of a user. */
function component(text: string, operator: string): WrongShape | undefined {
  if (operator !== "glob") return undefined;
  const why = "facts have whole places, in which `.` and `..` are resolved";
  if (/^\.\/?$/.test(text)) return { why, help: 'write `{ within: "." }` for the project' };
  if (/^\.\.(?:\/[\w.-]+)*(?:\/\*{0,2})?$/.test(text)) {
    const folder = text.replace(/\/?\*{0,2}$/, "");
    return { why, help: `write \`{ within: ${folder} }\`, which resolves it` };
  }
  return /(?:^|\/)\.\.(?:\/|$)/.test(text) ? { why, help: "write the place without `..`" } : undefined;
}

/** Finds path separators of Windows; in a glob a backslash escapes the next character. */
function backslash(text: string): WrongShape | undefined {
  if (!/[\w*]\\[A-Za-z0-9]/.test(text) || text.includes("/") || /^[A-Za-z]:/.test(text)) return undefined;
  const instead = text.replace(/\\/g, "/");
  return { why: "a backslash separates no folders in a glob", help: `write \`${instead}\``, instead };
}
