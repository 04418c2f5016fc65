import type { Draft } from "../shell/draft.ts";
import type { Sink } from "./sink.ts";

/** Variables whose value a program loads or runs. Source: threats page, class 10. */
const loaders: ReadonlySet<string> = new Set(
  "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR SSH_ASKPASS PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE PERL5OPT PERL5LIB PERL5DB PYTHONSTARTUP PYTHONPATH PYTHONHOME NODE_OPTIONS RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS BASH_ENV ENV PROMPT_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS SBT_OPTS JAVA_OPTS CATALINA_OPTS GOFLAGS GCONV_PATH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM PATH ANTHROPIC_BASE_URL OPENAI_BASE_URL OPENAI_API_BASE GOOGLE_GEMINI_BASE_URL MISTRAL_BASE_URL AWS_ENDPOINT_URL DOCKER_HOST GIT_CONFIG_PARAMETERS GIT_DIR GH_PAGER GH_BROWSER GH_EDITOR AWS_PAGER PSQL_PAGER PSQL_EDITOR KUBE_EDITOR SYSTEMD_PAGER SYSTEMD_EDITOR BAT_PAGER DELTA_PAGER RSYNC_RSH SVN_SSH CVS_RSH SUDO_ASKPASS PYTHONBREAKPOINT PS4 LUA_INIT MAKEFILES MAKEFLAGS TAR_OPTIONS NODE_PATH ZDOTDIR CC CXX LD NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS KUBECONFIG".split(
    " ",
  ),
);
/** Variables of folders with modules: those of the project are its own matter, so they change no setting. */
const searchPaths: ReadonlySet<string> = new Set("PYTHONPATH PERL5LIB RUBYLIB NODE_PATH".split(" "));
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
const openFolder = /(?:^|:)\/(?:tmp|var\/tmp|dev\/shm)(?:[/:]|$)/;

/** What must be in the value of a variable that has other uses, for it to load something. */
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
  // Whoever is at another address gets signed requests, and a container engine there gets what is mounted.
  ["AWS_ENDPOINT_URL", /^(?!https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|[\w.-]+\.amazonaws\.com)(?:[:/]|$))/],
  ["DOCKER_HOST", /^(?:tcp|https?):\/\/(?!localhost[:/]|127\.0\.0\.1[:/]|\[::1\])/],
  ["GIT_DIR", /^(?:\.{1,2}\/(?!\.git\/?$)|\/(?:tmp|var\/tmp|dev\/shm)\/)/],
  ["PYTHONBREAKPOINT", /^(?!(?:0|pdb\.set_trace|i?pdb\.\w+|pudb\.\w+|web_pdb\.\w+|IPython\.\w+)?$)/],
  ["PS4", /\$\(|`/],
  ["MAKEFLAGS", /--eval|(?:^|\s)-?\w*f/],
  ["TAR_OPTIONS", /--(?:to-command|checkpoint-action|use-compress|rsh-command|info-script|new-volume-script)/],
  // All traffic goes by way of another host, or is trusted that nobody vouches for.
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
const plainSsh = /^ssh(?:\s+-[A-Za-z0-9]+|\s+[\w.~/@=-]+)*$/;

/** Reports what variables given to a whole call make its programs load. */
export function reportVariables(variables: Readonly<Record<string, string>>, to: Sink): void {
  for (const name of Object.keys(variables)) one(name, variables[name] ?? "", to);
}

/** Reports variables in a written settings file (`.env` and its kin) that make programs load what they name. */
export function reportSettings(path: string, text: string, to: Sink): void {
  if (
    !/(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w-]+\.env|environment)$/i.test(path) ||
    /\.(?:example|sample|template|dist)$/i.test(path)
  )
    return;
  for (const line of text.slice(0, settingsLength).split("\n")) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line.slice(0, 4096));
    if (match && loads(match[1] as string, (match[2] as string).replace(/^(["'])(.*)\1$/, "$2")))
      to.config(match[1] as string);
  }
}

// Settings behind this length are not looked at.
const settingsLength = 262_144;

/** Reports what the variables of a command, or an `export`, make other programs load. */
export function reportLoaders(draft: Draft, to: Sink): void {
  for (const [name, value] of draft.env) one(name, value.text, to);
  if (assigning.test(draft.program)) for (const word of draft.args) filled(word.text, to);
  if (!/^(?:export|declare|typeset|readonly|env)$/.test(draft.program)) return;
  for (const word of draft.args) {
    const equals = word.text.indexOf("=");
    if (equals > 0) one(word.text.slice(0, equals), word.text.slice(equals + 1), to);
  }
}

const assigning = /^(?:read|printf|mapfile|readarray|getopts)$/;

/** A variable that a builtin fills with what is not known: only the names that have no other use count. */
function filled(name: string, to: Sink): void {
  if (loaders.has(name) && !loading.has(name)) one(name, "(from the input)", to);
}

/** True when programs load or run what a variable of that name and value names. */
function loads(name: string, value: string): boolean {
  if (!loaders.has(name) || (value.length < 256 && harmless.test(value))) return false;
  if (
    /^(?:GIT_SSH_COMMAND|RSYNC_RSH|SVN_SSH|CVS_RSH)$/.test(name) &&
    plainSsh.test(value.slice(0, 256)) &&
    !/command|module/i.test(value)
  )
    return false;
  return loading.get(name)?.test(value.slice(0, 4096)) ?? true;
}

function one(name: string, value: string, to: Sink): void {
  if (!loads(name, value)) return;
  to.run(value);
  if (!searchPaths.has(name) || openFolder.test(value.slice(0, 4096))) to.config(name.toUpperCase());
  to.doubt(`\`${name}\` makes programs load or run what it names`);
}
