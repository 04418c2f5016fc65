import { isSlip } from "../../diagnostics/suggest.ts";
import { bareShell, knownShells } from "../../schema/shells.ts";
import { isWhole, type WrongShape } from "./wrong-shape.ts";

/** Returns the fault of a text as `environment.shell`, which is the bare name of a program in lower case. */
export function shellName(text: string, operator: string): WrongShape | undefined {
  const [first = "", ...options] = isWhole(operator) ? text.split(" ") : [text];
  const name = bareShell(first);
  if (name === text || text === "") return isWhole(operator) ? unknownShell(text) : undefined;
  if (!isWhole(operator) && !/[/\\]|\.exe$/i.test(text)) return undefined;
  const why =
    options.length > 0
      ? "it is the shell alone, without options"
      : "it is the bare name of the shell in lower case, without a folder and `.exe`";
  if (!/^[a-z][\w.-]*$/.test(name)) return { why, help: "write the name alone, such as `bash`, `zsh` or `pwsh`" };
  return isWhole(operator)
    ? { why, help: `write \`${name}\``, instead: name }
    : { why, help: `write \`environment.shell: ${name}\`` };
}

/** Finds a name that is one slip away from that of a shell. A shell that no table has may be right. */
function unknownShell(text: string): WrongShape | undefined {
  if (text.length < 3 || knownShells.has(text)) return undefined;
  const letters = [...text].sort().join("");
  const near = [...knownShells].find(
    (one) => one.length > 2 && isSlip(text, one) && (text.length > 3 || [...one].sort().join("") === letters),
  );
  if (near === undefined) return undefined;
  return { why: "no known shell is called so", help: `did you mean \`${near}\`?` };
}

/** Returns the fault of a text as `environment.user`, which is the name of an account. */
export function userName(text: string, operator: string): WrongShape | undefined {
  if (!isWhole(operator)) return undefined;
  const last = /[/\\]([\w.-]+)[/\\]?$/.exec(text)?.[1];
  // An account of a domain may be `DOMAIN\name`.
  if (/^[~/]|^[A-Za-z]:|\/|\$/.test(text))
    return last === undefined
      ? { why: "it is the name of an account", help: "write the name alone" }
      : { why: "it is the name of an account, without a folder", help: `write \`${last}\``, instead: last };
  if (/^\d+$/.test(text))
    return text === "0"
      ? { why: "it is the name of an account, not its number", help: "write `root`", instead: "root" }
      : { why: "it is the name of an account, not its number", help: "write the name" };
  return text !== "root" && text.toLowerCase() === "root"
    ? { why: "names of accounts keep their letter case", help: "write `root`", instead: "root" }
    : undefined;
}
