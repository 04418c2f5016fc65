import { spend, spendText } from "../meter.ts";
import { runsInPrompt } from "../programs/run-variables.ts";
import type { Draft } from "../shell/draft.ts";
import { unknownVariable } from "../shell/fields.ts";
import type { Sink } from "./sink.ts";

/**
 * Files and commands that set the environment of programs which start later, a host of agents and its hooks among them. One
 * table: each find is a setting named `environment NAME`, for variables that affect a hook's own process.
 */

/** Files that hold nothing but variables: dotenv, also of hosts that read one of their own folder, and systems. */
const plainFiles = /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.flaskenv|[\w-]+\.env|environment)$/i;

/** Files from which tools read variables, by tool; templates do not count. */
const files: readonly RegExp[] = [
  plainFiles,
  // systemd, PAM, ssh.
  /(?:^|\/)(?:\.pam_environment|pam_env\.conf|environment\.d\/[^/]+\.conf)$/i,
  // direnv, start files of shells and of sessions, profile.d.
  /(?:^|\/)(?:\.envrc(?:\.[\w-]+)?|direnvrc|\.direnvrc|direnv\/lib\/[^/]+\.sh|direnv\.toml)$/i,
  /(?:^|\/)(?:\.(?:bashrc|bash_\w+|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|login|xprofile|xsessionrc|xinitrc)|bash\.bashrc|profile\.d\/[^/]+|etc\/(?:profile|zsh(?:rc|env)|zsh\/\w+)|config\.fish|fish\/conf\.d\/[^/]+\.fish|fish_variables|env\.nu|config\.nu|[\w.]*profile\.ps1|\.(?:mk|ya|osh|x)?shrc|oshrc|\.?elvish\/(?:rc\.elv|lib\/[^/]+\.elv)|\.xonshrc|xonsh\/(?:rc\.xsh|rc\.d\/[^/]+))$/i,
  // mise, devbox, nix, devenv, asdf plugins.
  /(?:^|\/)(?:\.?(?:mise|rtx)(?:\.[\w-]+)*\.toml|\.?(?:mise|rtx)\/(?:config(?:\.[\w-]+)*|conf\.d\/[^/]+)\.toml|devbox\.json|devenv\.(?:nix|yaml)|(?:flake|shell|default)\.nix|pixi\.toml)$/i,
  // Settings of hosts, editors and multiplexers with variables in them.
  /\.(?:jsonc?|toml)$(?<=(?:settings|config)[\w.-]*)(?<=(?:^|\/)\.(?:claude|gemini|qwen|codex|copilot|opencode|cursor|zed|vscode)\/[\w./-]*)|(?:^|\/)(?:settings\.json|[^/]+\.code-workspace|\.?devcontainer\.json|\.?tmux\.conf|\.screenrc|\.npmrc|\.pnpmrc)$/i,
  // Services of the user.
  /\.(?:service|conf)$(?<=(?:^|\/)systemd\/.*)/is,
  /(?:^|\/)(?:(?:user|system)\.conf|LaunchAgents\/[^/]+\.plist|plasma-workspace\/env\/[^/]+|uwsm\/env[\w.-]*|hypr\/[^/]+\.conf|kitty\.conf|alacritty\.toml|wezterm\.lua|flatpak\/overrides\/[^/]+)$/i,
];
const template = /\.(?:example|sample|template|dist)$/i;

/** Variables that change a loader, a shell, a home or the configuration of an agent's host, with any value. */
const always =
  /^(?:LD_[A-Z_]+|DYLD_[A-Z_]+|MALLOC_[A-Z_]+|GLIBC_TUNABLES|BASH_ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_\w+|HOME|USERPROFILE|XDG_(?:CONFIG|STATE|DATA|CACHE|RUNTIME)_(?:HOME|DIR)|HOOKWARDEN_\w+|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|PERL5OPT|PERL5DB|PERL5LIB|GCONV_PATH|ZDOTDIR|CLAUDE_ENV_FILE|OPENSSL_CONF)$/;
/** Variables by which a host of agents takes its folders, settings or trust from elsewhere: `CODEX_HOME` and its like. */
const ofHosts =
  /^(?:CLAUDE(?:_CODE)?|CODEX|GEMINI(?:_CLI)?|COPILOT|CURSOR|CLINE|GOOSE|OPENCODE|QWEN(?:_CODE)?|WINDSURF|VSCODE|PI(?:_CODING_AGENT)?|OMP|OPTA)_(?:\w{1,40}_)?(?:HOME|DIR|ROOT|PATH|PREFIX|PORTABLE|APPDATA|CONFIG(?:_\w{1,20})?|TRUST(?:_\w{1,20})?|SHELL|SIMPLE|PURE)$/;
/** Variables that also have everyday values; each pattern matches the values that are not everyday ones. */
const sometimes: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /--?(?:r\b|require|import|loader|experimental-(?:loader|default-config|config-file)|eval|inspect-(?:brk|wait)|env-file|snapshot|build-snapshot|openssl-config|test\b|watch)|[`]|\$(?!\{?NODE_OPTIONS\b)/,
  PATH: /(?:^|[:;"'\s])(?:\.{1,2}(?=[:/"'\s]|$)|\/(?:tmp|var\/tmp|dev\/shm)\b)|^(?!.*(?:\bPATH\b|%PATH%|makeBinPath))/,
  ENV: /[/$~]|^["']?\./,
  PS4: runsInPrompt,
  SHELL: /^(?!["']?(?:\/(?:usr\/)?(?:local\/)?bin\/|\/opt\/homebrew\/bin\/)?(?:ba|z|da|k|fi)?sh["']?\s*(?:[,;]\s*)?$)/,
};
const aliases: Readonly<Record<string, string>> = { "node-options": "NODE_OPTIONS", "script-shell": "SHELL" };

/** A name that gets a value: `NAME=value`, `"NAME": "value"`, `setenv NAME value`, `set -gx NAME value`, `<key>NAME</key>`, `"name": "NAME", "value":`. */
const assigned =
  /(?:^|[\s"'`{;,<>(.:&|!=$])(?:(?:setenv|set-env|set-environment|set\s+-(?=\w{0,8}[xU])\w{1,9}|setx)\s+(?:-\w{1,32}\s+){0,8}["']?([A-Za-z_][\w-]{1,60})["']?\s+|env\s*=\s*([A-Za-z_]\w{1,60})\s*,\s*|name["']?\s*[:=]\s*["']([A-Za-z_]\w{1,60})["']\s*,\s*["']?value["']?\s*[:=]\s*|([A-Za-z_][\w-]{1,60})["']?(?:\s+(?:DEFAULT|OVERRIDE))?\s*(?:\?=|\+=|[=:])\s*|<key>\s*([A-Za-z_]\w{1,60})\s*<\/key>\s*<\w+>)([^\r\n]{0,1024})/gm;
const valueLength = 1_024;

// A longer text is reported as a whole, and further names of one text are not listed. A path ends in its name.
const textLength = 262_144;
const nameCount = 64;
const pathEnd = 512;

/** True for a name of the table. */
function isVariable(name: string): boolean {
  return Object.hasOwn(sometimes, name) || (name.length <= 128 && (always.test(name) || ofHosts.test(name)));
}

/** True if a variable of this name and value affects a later process. Unknown parts of a value count. */
export function movesLater(name: string, value: string): boolean {
  if (name.length <= 128 && (always.test(name) || ofHosts.test(name))) return true;
  const told = Object.hasOwn(sometimes, name) ? sometimes[name] : undefined;
  return told !== undefined && (told.test(value) || value.includes(unknownVariable));
}

/** Reports the variables that a written file sets for later programs. */
export function reportLaterFile(path: string, text: string, to: Sink): void {
  if (!isLaterFile(path)) return;
  spendText(Math.min(text.length, textLength));
  if (text.length > textLength) to.config("environment of a file that is too long to be read");
  // JSON and TOML may spell any character by its number.
  const plain = text
    .slice(0, textLength)
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const seen = new Set<string>();
  // Its value is searched too, from the sign before it: settings may share a line, or lie in a value.
  assigned.lastIndex = 0;
  const comments = new CommentLines(plain);
  for (let found = assigned.exec(plain); found && seen.size < nameCount; found = assigned.exec(plain)) {
    const value = found[6] ?? "";
    spend(2 + (value.length >> 6));
    assigned.lastIndex = Math.max(found.index + 1, found.index + found[0].length - value.length - 1);
    if (comments.isIn(found.index + 1)) continue;
    const name = found.slice(1, 6).find((one) => one !== undefined) ?? "";
    set(name, isCut(value) ? value + unknownVariable : value, seen, to);
  }
}

/** True for a value that is longer than the part that is read. */
function isCut(value: string): boolean {
  if (value.length < valueLength) return false;
  const quote = value[0] as string;
  return !/["']/.test(quote) || value.indexOf(quote, 1) < 0;
}

/** Tells whether a place of a text lies in a comment line; places must be asked in ascending order. */
class CommentLines {
  readonly #text: string;
  #end = -1;
  #isComment = false;

  constructor(text: string) {
    this.#text = text;
  }

  isIn(index: number): boolean {
    while (this.#end < index) {
      const start = this.#end + 1;
      const end = this.#text.indexOf("\n", start);
      this.#end = end < 0 ? this.#text.length : end;
      spend(1);
      this.#isComment = /^\s*(?:#|\/\/|;)/.test(this.#text.slice(start, Math.min(this.#end, start + valueLength)));
    }
    return this.#isComment;
  }
}

function set(given: string, value: string, seen: Set<string>, to: Sink): void {
  const name = Object.hasOwn(aliases, given) ? (aliases[given] as string) : given;
  spend(1);
  if (seen.size >= nameCount || seen.has(name)) return;
  if (Object.hasOwn(sometimes, name)) spendText(value.length);
  if (!movesLater(name, value.trim())) return;
  seen.add(name);
  to.config(`environment ${name}`);
}

/** Reports the settings in the words of a command that writes such a file, because an editor gets the text as words. */
export function reportLaterWords(draft: Draft, from: number, to: Sink): void {
  for (let i = from; i < to.writes.length; i++) {
    const { path } = to.writes[i] as (typeof to.writes)[number];
    if (!isLaterFile(path.lexical)) continue;
    spend(draft.args.length);
    reportLaterFile(path.lexical, draft.args.map((word) => word.text).join("\n"), to);
    return;
  }
}

function isLaterFile(path: string): boolean {
  spend(4 + (Math.min(path.length, pathEnd) >> 3));
  const end = path.slice(-pathEnd);
  return !template.test(end) && files.some((pattern) => pattern.test(end));
}

/** True for a file of nothing but variables, one on a line. */
export function isPlainVariables(path: string): boolean {
  spend(1 + (Math.min(path.length, pathEnd) >> 4));
  const end = path.slice(-pathEnd);
  return !template.test(end) && plainFiles.test(end);
}

/** Words of a command behind which it sets variables, as `NAME=value` or `NAME value`. */
const commands: Readonly<Record<string, RegExp>> = {
  tmux: /^(?:set-environment|setenv|set-env)$/,
  screen: /^setenv$/,
  systemctl: /^(?:set-environment|import-environment)$/,
  launchctl: /^(?:setenv|config)$/,
  "dbus-update-activation-environment": /^/,
  setx: /^/,
  reg: /^add$/i,
  // fish's own: `set -Ux NAME value` holds for every later shell.
  set: /^-\w{0,8}[xU]\w{0,8}$/,
  mise: /^(?:set|env-vars|ev)$/,
  rtx: /^(?:set|env-vars|ev)$/,
  npm: /^(?:set|config|c)$/,
  pnpm: /^(?:set|config|c)$/,
  conda: /^vars$/,
  dotenv: /^set$/,
  dotenvx: /^set$/,
  flatpak: /^override$/,
};

/** Shells whose texts may set a user's variable permanently, each with its syntax. */
const forGood: Readonly<Record<string, RegExp>> = {
  fish: /\bset\s+(?:-[\w-]+\s+){0,8}(?:-[^\WU]*U\w*|--universal)\s+(?:-[\w-]+\s+){0,8}["']?([A-Za-z_]\w{1,60})["']?\s+([^;\n]{0,1024})/g,
  pwsh: /\bSetEnvironmentVariable\s*\(\s*["']([A-Za-z_]\w{1,60})["']\s*,\s*["']?([^"'\n]{0,1024})["']?\s{0,32},\s{0,32}["'[]?[\w.]{0,64}(?:\]::)?(?:User|Machine)/gi,
};
const shellsForGood: Readonly<Record<string, string>> = {
  fish: "fish",
  pwsh: "pwsh",
  powershell: "pwsh",
  "pwsh-preview": "pwsh",
};

function reportForGood(draft: Draft, to: Sink): void {
  if (!Object.hasOwn(shellsForGood, draft.program)) return;
  const pattern = forGood[shellsForGood[draft.program] as string] as RegExp;
  const seen = new Set<string>();
  for (const word of draft.args) {
    const text = word.text.slice(0, textLength);
    spendText(2 * text.length);
    for (const [, name = "", value = ""] of text.matchAll(pattern)) set(name, value, seen, to);
  }
}

/** Reports the variables that a command sets for programs which start later. */
export function reportLaterCommand(draft: Draft, to: Sink): void {
  reportForGood(draft, to);
  const verb = Object.hasOwn(commands, draft.program) ? commands[draft.program] : undefined;
  if (!verb) return;
  spend(2 * draft.args.length);
  const texts = draft.args.map((word) =>
    word.kind === "unknown" ? `${word.template ?? `\${${unknownVariable}}`}` : word.text,
  );
  const at = verb.source === "^" ? -1 : texts.findIndex((text) => verb.test(text));
  if (at < 0 && verb.source !== "^") return;
  const seen = new Set<string>();
  const behind = texts.slice(at + 1);
  const unsets = behind.includes("-u");
  behind.forEach((text, i) => {
    const given = text.replace(/^--env=/, "");
    const equals = given.indexOf("=");
    if (equals > 0) set(given.slice(0, equals), given.slice(equals + 1), seen, to);
    else if (draft.program === "systemctl" || draft.program.startsWith("dbus")) set(text, "", seen, to);
    // `tmux setenv -u NAME` unsets a variable and sets none.
    else if (!unsets) set(text, behind[i + 1] ?? "", seen, to);
  });
}

const settingWord = /(?:^|[_-])(?:env|environment|environ|setenv|variables?|envvars?)(?:$|[_-])/;

/** Reports variables that a tool of a server sets, by its name and its arguments: `set_env {name, value}`, `{NAME: value}`. */
export function reportLaterTool(tool: string, strings: readonly { name: string; text: string }[], to: Sink): void {
  const name = tool.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  if (!settingWord.test(name) || /(?:^|[_-])(?:get|list|read|show|print|unset|delete|remove)(?:$|[_-])/.test(name))
    return;
  const seen = new Set<string>();
  const all = strings.map(({ text }) => text).join(" ");
  spendText(all.length);
  const asked = new Set<string>();
  for (const { name: key, text } of strings) {
    set(key, text, seen, to);
    // The value is in another argument, of any name.
    if (!asked.has(text) && isVariable(text)) set(text, all.replace(text, ""), seen, to);
    asked.add(text);
    const equals = text.indexOf("=");
    if (equals > 0) set(text.slice(0, equals), text.slice(equals + 1), seen, to);
  }
}
