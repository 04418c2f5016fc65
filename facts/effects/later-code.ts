import { spend, spendText } from "../meter.ts";
import type { Sink } from "./sink.ts";

/**
 * Files with code that tools run later: tests and their setup, builds, tool configurations, and files of installed packages.
 * Before such a file is written, its effects on the files that call the guard are checked.
 */
const runsLater: readonly RegExp[] = [
  // Python.
  /(?:^|\/)(?:conftest|setup|noxfile|tasks|fabfile|manage|sitecustomize|usercustomize|wscript|dodo)\.py$|(?:^|\/)(?:test_[^/]+|[^/]+_test)\.py$|\.pth$/i,
  // JavaScript and TypeScript.
  /\.(?:test|spec|e2e|cy|bench|stories|setup|config)\.[cm]?[jt]sx?$|(?:^|\/)(?:\.(?=\w+rc)|gulpfile|gruntfile|jakefile|\.pnpmfile|rollup|vite|vitest|jest)[\w.-]*\.[cm]?[jt]s$|(?:^|\/)__tests__\//i,
  // Others, by their builds and tests.
  /(?:^|\/)build\.(?:rs|zig|gradle|gradle\.kts|sbt|xml|jl)$|_test\.go$|(?:^|\/)tests?\/[^/]+\.(?:rs|rb|php|kt|java|cs|swift|ex|exs|lua)$|(?:^|\/)(?:extconf|spec_helper|test_helper)\.rb$|_spec\.rb$|Test\.(?:java|kt|php|cs)$|(?:^|\/)(?:mix\.exs|Package\.swift|CMakeLists\.txt|meson\.build|Rakefile|Vagrantfile|Podfile|Dangerfile|Fastfile)$|_test\.exs$/i,
  // Packages.
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|\.venv|venv)\//,
];

/** A file that calls the guard, spelled in code, also in pieces: `".claude", "settings.json"`. */
const named =
  /\.(?:claude|codex|gemini|cursor|copilot|windsurf|opta|pi|omp|cline|clinerules|opencode)["'`]?[\s"'`/\\,+)(|&joinpath]{1,24}(?:agent["'`]?[\s"'`/\\,+]{1,8})?(?:settings(?:\.local)?\.json|hooks\.json|config\.(?:toml|json)|hooks?\b|extensions?\b|plugins?\b)|hookwarden["'`/\\, +]{1,8}(?:policy|policies|audit|keys|trust|state|plans|installs)|disableAllHooks/;
const changes =
  /\b(?:remove\w*|unlink\w*|rm(?:Sync|tree|dir\w*|_rf?)?|delete\w*|write\w*|rename\w*|replace\w*|copy\w*|move\w*|truncate\w*|create\w*|dump\w*|symlink\w*|chmod\w*|open\w*|put\w*|save\w*|store|touch|spit|fopen|fs)\b/i;

const textLength = 1_048_576;

/** Reports code that runs later and speaks of such a file beside something that changes files. */
export function reportLaterCode(path: string, text: string, to: Sink): void {
  const end = path.slice(-512);
  spend(4);
  if (!runsLater.some((one) => one.test(end))) return;
  const read = text.slice(0, textLength);
  spendText(4 * read.length);
  const found = named.exec(read);
  if (found && changes.test(read))
    to.config(`guard reach ${found[0].replace(/[\s"'`,+()|&]+/g, "/").slice(0, 80)} later`);
}
