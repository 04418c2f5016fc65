import { type Approximation, anyText, shownText, type Text } from "../../schema/approximation.ts";

/** How a manager's calls write the version of a package: the text behind one of these signs, and an option for it. */
interface Form {
  readonly names: string;
  /** Its first group is what is asked of the version. */
  readonly behind: RegExp;
  /** The values are exact. */
  readonly exact: RegExp;
}

const threeNumbers = /^v?=?\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;
const anyNumber = /^=?\s*v?\d[\w.!+~:-]*$/;
const severalNumbers = /^=?\s*v?\d+(?:\.\w+)+(?:[-+~][\w.+~-]*)?$/;
const atSign = /^(?:(?:npm|jsr):)?@?[^@]+@(?:npm:@?[^@]+@)?(.+)$/s;

/** Source: the managers' manuals. A tag, a range and a wildcard are not exact; of a name without a version any is taken. */
const forms: readonly Form[] = [
  { names: "npm pnpm yarn bun npx bunx pnpx deno", behind: atSign, exact: threeNumbers },
  { names: "pip uvx pipx project", behind: /^[^=<>~!@;,]+(?:={2,3}|@)([^;]+)/, exact: anyNumber },
  { names: "conda", behind: /^[^=<>~!]+={1,2}([^=]+)(?:=.*)?$/s, exact: severalNumbers },
  { names: "gem bundle bundler", behind: /^[^:]+:(.+)$/s, exact: anyNumber },
  { names: "composer", behind: /^[^:= ]+[:= ](.+)$/s, exact: threeNumbers },
  { names: "cargo julia", behind: /^[^@]+@(.+)$/s, exact: threeNumbers },
  { names: "go", behind: /^[^@]+@(.+)$/s, exact: /^(?:v\d+\.\d+\.\d\S*|[0-9a-f]{7,40})$/ },
  { names: "dotnet choco winget snap helm mix", behind: /^[^@]+@(.+)$/s, exact: severalNumbers },
  { names: "apt apk zypper", behind: /^[^=<>~]+=([^=]+)$/s, exact: anyNumber },
  { names: "dnf rpm dpkg pacman cabal", behind: /^.*?-(\d.*)$/s, exact: /^(?:\d+:)?\d[\w.+~]*(?:-\d[\w.+~]*)?$/ },
  { names: "brew scoop port", behind: /^[^@]+@(.+)$/s, exact: /^\d[\w.]*$/ },
  {
    names: "docker kubectl",
    behind: /(?:^|\/)[^/:@]+[:@]([^/]+)$/,
    exact: /sha256:[0-9a-f]{64}$|^v?\d+\.\d+\.\d[\w.-]*$/,
  },
];

const byManager: ReadonlyMap<string, Form> = new Map(
  forms.flatMap((form) => form.names.split(" ").map((name) => [name, form] as const)),
);

const commit = /[#@](?:[0-9a-f]{7,40}|v?\d+\.\d+\.\d[\w.-]*)(?:[#&][\s\S]*)?$/i;
const dated = /(?<!\d)\d+\.\d+\.\d/;

function isExact(manager: string, source: string, name: string, version: string | undefined): boolean {
  if (source === "git") return commit.test(name);
  if (source === "url") return dated.test(name);
  // A file is what it is, and of no name the project's own files say the version.
  if (source === "file" || name === "") return true;
  const form = byManager.get(manager);
  if (!form) return false;
  const behind = form.behind.exec(name)?.[1] ?? version;
  if (behind === undefined || /[*,|]|\s-\s/.test(behind)) return false;
  return form.exact.test(behind.trim());
}

/**
 * Returns whether a call names one version of a package, which `version` is where an option says it. Unknown where the name is,
 * unless what is known settles it.
 */
export function pinned(manager: string, source: Text, name: Text, version?: string): boolean | Approximation {
  const one = typeof source === "string" ? source : "registry";
  if (typeof name === "string") return isExact(manager, one, name, version);
  return anyText(shownText(name));
}
