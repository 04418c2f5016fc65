import type { WrongShape } from "./wrong-shape.ts";

/** Files that programs look for by this very name. `makefile` and `readme` are usual in either case. */
const names: readonly string[] =
  "Dockerfile Jenkinsfile Vagrantfile Gemfile Rakefile Procfile Pipfile Brewfile Podfile Fastfile CODEOWNERS AGENTS.md CLAUDE.md GEMINI.md SKILL.md Cargo.toml Cargo.lock Chart.yaml Gemfile.lock Pipfile.lock Podfile.lock package.json package-lock.json composer.json pyproject.toml go.mod go.sum".split(
    " ",
  );

const byLetters: ReadonlyMap<string, string> = new Map(names.map((name) => [name.toLowerCase(), name]));

/** Finds the name of a well-known file in another letter case; `operator` is that of a YAML test. */
export function nameCase(text: string, operator: string): WrongShape | undefined {
  if (!["equals", "in", "glob", "ends_with"].includes(operator) || text.length > 500) return undefined;
  const [, before = "", name = ""] = /^(.*?)([^/]+)$/s.exec(text) ?? [];
  const meant = byLetters.get(name.toLowerCase());
  if (meant === undefined || meant === name) return undefined;
  const instead = `${before}${meant}`;
  return {
    why: `programs look for \`${meant}\`, and most volumes tell letter case`,
    help: `write \`${instead}\``,
    instead,
    seen: "in part",
  };
}

/** Names that begin with a dot and have no extension. `env` is the extension of `prod.env`. */
const dotted: ReadonlySet<string> = new Set(
  "gitignore gitattributes gitmodules dockerignore npmrc yarnrc bashrc zshrc netrc pgpass htaccess htpasswd editorconfig nvmrc".split(
    " ",
  ),
);

/** Finds the name of a file such as `.npmrc` in the place of an extension. */
export function dottedName(text: string): WrongShape | undefined {
  if (!dotted.has(text)) return undefined;
  return {
    why: `\`.${text}\` is a name without an extension`,
    help: `test the name: \`{ glob: [".${text}", ".${text}.*"] }\``,
    seen: "in part",
  };
}
