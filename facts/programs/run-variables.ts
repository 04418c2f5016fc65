import { keptByText } from "../memo.ts";
import { spend } from "../meter.ts";
import { tellsHost } from "./host-variables.ts";

/** Matches a trace prompt (`PS4`) that runs a command each time the shell prints it. */
export const runsInPrompt = /\$\(|`/;

/** Variables whose value a program loads or runs. Source: threats page, class 10. */
const loaders: ReadonlySet<string> = new Set(
  "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR SSH_ASKPASS PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE PERL5OPT PERL5LIB PERL5DB PYTHONSTARTUP PYTHONPATH PYTHONHOME NODE_OPTIONS RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS BASH_ENV ENV PROMPT_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS JAVA_OPTS CATALINA_OPTS GOFLAGS GCONV_PATH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM PATH ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENAI_API_BASE GOOGLE_GEMINI_BASE_URL MISTRAL_BASE_URL AWS_ENDPOINT_URL DOCKER_HOST GIT_CONFIG_PARAMETERS GIT_DIR GH_PAGER GH_BROWSER GH_EDITOR AWS_PAGER PSQL_PAGER PSQL_EDITOR KUBE_EDITOR SYSTEMD_PAGER SYSTEMD_EDITOR BAT_PAGER DELTA_PAGER RSYNC_RSH SVN_SSH CVS_RSH SUDO_ASKPASS PYTHONBREAKPOINT PS4 LUA_INIT MAKEFILES MAKEFLAGS TAR_OPTIONS NODE_PATH ZDOTDIR CC CXX LD NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS KUBECONFIG".split(
    " ",
  ),
);
/** Usual viewers, editors and browsers, with plain options. */
const harmless =
  /^(?:|cat|true|:|less|more|most|delta|bat|vi|vim|nvim|nano|emacs|ed|code|micro|hx|false|echo|none|firefox|chromium|google-chrome|open|xdg-open|sccache|ccache|\/dev\/null)(?: --?[A-Za-z-]+){0,4}$/;

const javaOptions = [
  "JAVA_TOOL_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "_JAVA_OPTIONS",
  "MAVEN_OPTS",
  "GRADLE_OPTS",
  "SBT_OPTS",
  "JAVA_OPTS",
  "CATALINA_OPTS",
] as const;
const baseUrls = [
  "ANTHROPIC_BASE_URL",
  "OPENAI_BASE_URL",
  "OPENAI_API_BASE",
  "GOOGLE_GEMINI_BASE_URL",
  "MISTRAL_BASE_URL",
] as const;

/** Folders in which anyone can put a file. */
export const openFolder = /(?:^|:)\/(?:tmp|var\/tmp|dev\/shm)(?:[/:]|$)/;

/** Tests for values that load code, by variables that have other uses too. */
const loading: ReadonlyMap<string, RegExp> = new Map([
  ["NODE_OPTIONS", /--?(?:r\b|require|import|loader|experimental-loader|eval)/],
  ...javaOptions.map((name) => [name, /-(?:javaagent|agentlib|agentpath|Xbootclasspath)|(?:^|\s)@/] as const),
  ["GOFLAGS", /-(?:toolexec|exec|overlay|modfile)\b/],
  // An agent that talks to another host hands it the whole conversation and its key.
  ...baseUrls.map(
    (name) =>
      [
        name,
        /^(?!https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|[\w.-]+\.(?:anthropic|openai|googleapis|mistral)\.\w+)(?:[:/]|$))/,
      ] as const,
  ),
  ["RUBYOPT", /(?:^|\s)-[rI]/],
  // Another address would receive signed requests; a container engine there would receive the mounted files.
  ["AWS_ENDPOINT_URL", /^(?!https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|[\w.-]+\.amazonaws\.com)(?:[:/]|$))/],
  ["DOCKER_HOST", /^(?:tcp|https?):\/\/(?!localhost[:/]|127\.0\.0\.1[:/]|\[::1\])/],
  ["GIT_DIR", /^(?:\.{1,2}\/(?!\.git\/?$)|\/(?:tmp|var\/tmp|dev\/shm)\/)/],
  ["PYTHONBREAKPOINT", /^(?!(?:0|pdb\.set_trace|i?pdb\.\w+|pudb\.\w+|web_pdb\.\w+|IPython\.\w+)?$)/],
  ["PS4", runsInPrompt],
  ["MAKEFLAGS", /--eval|(?:^|\s)-?\w*f/],
  ["TAR_OPTIONS", /--(?:to-command|checkpoint-action|use-compress|rsh-command|info-script|new-volume-script)/],
  // All traffic passes through another host, or unverified connections are trusted.
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) =>
    [name, name.toLowerCase()].map(
      (one) =>
        [one, /^(?!$|(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)(?:[:/]|$))/] as const,
    ),
  ),
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "KUBECONFIG"].map(
    (name) => [name, openFolder] as const,
  ),
  ["ZDOTDIR", openFolder],
  ...["CC", "CXX", "LD"].map((name) => [name, /^(?:\.{1,2}\/|\/(?:tmp|var\/tmp|dev\/shm)\/)/] as const),
  ...["NPM_CONFIG_SCRIPT_SHELL", "npm_config_script_shell"].map(
    (name) => [name, /^(?!(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$)/] as const,
  ),
  // A shell reads the file that `ENV` names; elsewhere it names an environment, as in `ENV=production`.
  ["ENV", /[/$~]|^\./],
  // Folders in which anyone can put a program before the one that is meant.
  [
    "PATH",
    /(?:^|:)(?:\.{1,2}(?::|$)|\/(?:tmp|var\/tmp|dev\/shm)(?:[/:]|$)|\.{1,2}\/(?!(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin|bin)\/?(?::|$)))/,
  ],
]);
const shell = /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?(?:ba|z|da|k|a)?sh$/;
const plainSsh = /^ssh(?:\s+[\w.~/@=-]+)*$/;

// A longer value counts as one that loads something.
const valueLength = 16_384;

/** True if a variable with this name and value makes programs load or run something. */
export function loads(name: string, value: string): boolean {
  if (!loaders.has(name)) return false;
  spend(1 + (Math.min(value.length, valueLength) >> 2));
  if (value.length > valueLength) return true;
  if (isUsual(name, value)) return false;
  return loading.get(name)?.test(value) ?? true;
}

/** True for a plain shell, given by name or by its usual path. */
export function isShell(value: string): boolean {
  return shell.test(value);
}

/** True for a usual viewer, editor or browser; in variables that name a shell or an `ssh` command, also for a plain one. */
export function isUsual(name: string, value: string): boolean {
  if (value.length <= 256 && harmless.test(value)) return true;
  if (/^npm_config_script_shell$/i.test(name)) return isShell(value);
  if (!/^(?:GIT_SSH_COMMAND|RSYNC_RSH|SVN_SSH|CVS_RSH)$/.test(name)) return false;
  return value.length <= 256 && plainSsh.test(value) && !/command|module/i.test(value);
}

/** True if some value of this variable makes programs load or run something. */
export function isLoader(name: string): boolean {
  return loaders.has(name);
}

/** Lists the variables with this prefix that change what runs; for an empty prefix only `PATH`, as an example of all. */
export function runVariablesFrom(beginning: string): readonly string[] {
  if (beginning === "") return ["PATH"];
  spend(loaders.size >> 1);
  return [...loaders].filter((name) => name.startsWith(beginning));
}

/** True for a variable whose only use is to make programs load or run something. */
export function loadsAlways(name: string): boolean {
  return loaders.has(name) && !loading.has(name);
}

/**
 * Further variables that change what runs, and their values that do: dynamic loaders, git's trace targets and settings, and
 * similar ones.
 */
const others: readonly (readonly [RegExp, RegExp])[] = [
  [/^(?:LD|DYLD)_[A-Z0-9_]+$/, /./s],
  [/^GIT_TRACE\w*$/, /[/\\]/],
  [/^GIT_CONFIG(?:_COUNT|_KEY_\d+|_VALUE_\d+)?$/, /./s],
  [/^BASH_FUNC_/, /./s],
  [/^(?:CARGO_TARGET_\w+_(?:RUNNER|LINKER)|RUSTC|RUSTDOC|CARGO)$/, /./s],
  [/^\w+_(?:PAGER|EDITOR|ASKPASS|SSH_COMMAND)$/, /./s],
];

/** True if a variable of this name may change what runs, or with which host. Fast, because names recur and answers are kept. */
export function mayChangeRun(name: string): boolean {
  return name.length <= longestName && mayChange(name);
}

/** Longest name of a variable that a program reads. */
const longestName = 128;

const mayChange = keptByText((name) => mayBeOther(name) || tellsHost(name) || textual.test(name));

/** Variables with text or options for one program, which affect no other program. */
const textual = /^(?:(?:FZF|SKIM)_\w{1,40}|LESSEDIT|FCEDIT|LESS|MANOPT|ZIPOPT|ACK_OPTIONS|GNUMAKEFLAGS|PS[012])$/;

function mayBeOther(name: string): boolean {
  return name.length <= longestName && isOther(name);
}

const isOther = keptByText((name) => loaders.has(name) || others.some(([pattern]) => pattern.test(name)));

/**
 * True if a variable with this name and value makes something run that the command's words do not name; `PATH` is judged by its
 * folders instead. A partly known value counts as doing so.
 */
export function changesRun(name: string, value: string, known: boolean): boolean {
  if (!mayBeOther(name)) return false;
  if (!known || loads(name, value)) return true;
  if (loaders.has(name) || (value.length < 256 && harmless.test(value))) return false;
  return others.some(([pattern, told]) => pattern.test(name) && told.test(value));
}
