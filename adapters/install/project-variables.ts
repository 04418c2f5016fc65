import { join } from "node:path";
import { dataOf, readJsonc, valueAt } from "./jsonc.ts";

/** Files of a project from which a host sets variables for its agent, and so for its hooks. */
interface Source {
  readonly files: readonly string[];
  /** Returns the names that a file's text sets. */
  names(text: string): readonly string[];
}

const sources: Readonly<Record<string, Source>> = {
  "claude-code": { files: [".claude/settings.json", ".claude/settings.local.json"], names: blockNames },
  vscode: { files: [".claude/settings.json", ".claude/settings.local.json"], names: blockNames },
  gemini: { files: [".env", ".gemini/.env"], names: lineNames },
};

/** Variables that affect shells, loaders, Node or perl, or that locate homes, programs and our own files. */
const speaking =
  /^(?:NODE_|LD_|DYLD_|MALLOC_|PERL|BASH|XDG_|UV_|GCONV_PATH$|LOCPATH$|SHELLOPTS$|PS4$|ENV$|IFS$|SHELL$|SHLVL$|PATH$|HOME$|OPENSSL_CONF$|SSLKEYLOGFILE$|TMPDIR$|CLAUDE_CODE_SHELL_PREFIX$|HOOKWARDEN_|GLIBC_TUNABLES$)/;

/** Lists the variables in a project's files that could change how a host's hooks run. `read` returns a file's text. */
export function projectVariables(
  name: string,
  project: string,
  read: (path: string) => string | undefined,
): readonly string[] {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  return (source?.files ?? []).flatMap((file) => {
    const path = join(project, file);
    const text = read(path);
    const set = text === undefined ? [] : (source?.names(text) ?? []).filter((each) => speaking.test(each));
    return set.length === 0 ? [] : [`${path} sets ${set.join(", ")}`];
  });
}

/** Lists the names in the `env` of a settings file. */
function blockNames(text: string): readonly string[] {
  const json = readJsonc(text);
  const block = "message" in json ? undefined : valueAt(json, ["env"]);
  const data = block && dataOf(block);
  return typeof data === "object" && data !== null && !Array.isArray(data) ? Object.keys(data) : [];
}

/** Lists the names in a file of lines `NAME=value`. */
function lineNames(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => /^\s*(?:export\s+)?([\w.-]+)\s*[=:]/.exec(line)?.[1] ?? []);
}
