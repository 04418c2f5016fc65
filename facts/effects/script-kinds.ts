import { spend } from "../meter.ts";
import { cronLines, shellNames } from "../programs/shells.ts";
import { unknownVariable } from "../shell/fields.ts";
import { programName } from "../shell/names.ts";
import { interpreterOf } from "../shell/scripts.ts";
import { cmakeTexts } from "./cmake.ts";
import { gitSettings, launchdCommands, sshCommands } from "./config-texts.ts";
import { dockerfileTexts } from "./dockerfile.ts";
import { vimTexts } from "./editor-files.ts";
import { makefileTexts } from "./makefile.ts";
import { pipelineTexts } from "./pipeline-steps.ts";
import { type Runner, runnerOf } from "./shell-words.ts";
import { taskTexts } from "./task-files.ts";
import type { YamlCommands } from "./yaml-texts.ts";
import { yamlValues } from "./yaml-values.ts";

/** Shell texts that a file holds for something to run them. */
export interface Scripts {
  readonly texts: readonly string[];
  /** Working folder of the texts: the folder of the file, or that of the agent. */
  readonly folder: "own" | "working";
  /** True when they run in an image or on a build machine: only what reaches other hosts matters here. */
  readonly elsewhere: boolean;
  /** True when an agent may run there too: effects on the guard matter as well. */
  readonly besideAgents?: boolean;
  /** Texts of the same file that run in another place. */
  readonly further?: Scripts;
  /** Set where the file is over a bound: names what was not read in full, such as `more text`. */
  readonly over?: string;
}

// Bounds on what is read: the length of a file, the length of a quoted text in it, and the number of texts in one file.
const contentLength = 1_048_576;
const quotedLength = 2_048;
const textCount = 2_048;

const documents = /\.(?:md|mdx|markdown|txt|rst|adoc|html?|org|tex)$/;
const shellFile =
  /\.(?:sh|bash|zsh|ksh|bats|fish|command)$|(?:^|\/)(?:\.(?:bashrc|bash_\w+|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|envrc|xinitrc|xprofile|xsession)|direnvrc|bash\.bashrc|PKGBUILD)$|(?:^|\/)etc\/profile$/i;
const hook = /(?:^|\/)(?:\.git\/hooks|\.husky|\.githooks|git-hooks|hooks\.d)\/[^/]+$/;

type Extract = (text: string, whole: boolean) => Scripts;

const script: Extract = (text) => ({ texts: [batsAsShell(text)], folder: "working", elsewhere: false });

/** Tests of a bats file are functions under another spelling. */
function batsAsShell(text: string): string {
  return text.includes("@test") ? text.replace(/^[ \t]*@test[ \t].*\{[ \t]*$/gm, "bats_test() {") : text;
}

/** Lines of a recipe, those that end in a backslash joined with the next. */
function joinedLines(text: string): string[] {
  spend(text.length >> 4);
  const lines = text.replace(/\\\r?\n/g, " ").split(/\r?\n/);
  spend(4 * lines.length);
  return lines;
}

const makefile: Extract = (text) => ({ texts: makefileTexts(text), folder: "own", elsewhere: false });

/** Matches a template value. No other may begin inside, so that a run of braces is read once. */
const template = /\{\{(?:(?!\{\{)[^}])*\}\}/g;
const workflowTemplate = /\$\{\{(?:(?!\{\{)[^}])*\}\}/g;

const justfile: Extract = (text) => ({
  texts: joinedLines(text)
    .filter((line) => /^[ \t]+\S/.test(line))
    .map((line) => line.replace(/^[ \t]+[@-]*/, "").replace(template, `\${${unknownVariable}}`)),
  folder: "own",
  elsewhere: false,
});

const taskCommands: YamlCommands = {
  keys: /^(?:cmds?|sh|defer|status|preconditions|if)$/,
  sections: /^tasks$/,
};

/** Commands of a Taskfile: of tasks, variables, conditions and what is put off. Source: taskfile.dev, "Schema". */
const taskfile: Extract = (text, whole) => ({
  texts: yamlValues(text, taskCommands, whole).map((one) => one.text.replace(template, `\${${unknownVariable}}`)),
  folder: "own",
  elsewhere: false,
});

/** `sh 'text'`, `system 'text'` and texts in backticks of a recipe in Ruby. */
const rakefile: Extract = (text) => ({
  texts: joinedLines(text).flatMap((line) =>
    [...line.matchAll(rakeText)].map((found) =>
      (found[1] ?? found[2] ?? found[3] ?? found[4] ?? "").replace(/#\{[^{}]*\}/g, `\${${unknownVariable}}`),
    ),
  ),
  folder: "own",
  elsewhere: false,
  ...(hasLongRakeText(text) ? { over: "a longer text in quotes" } : {}),
});

const rakeStart = /\b(?:sh|system|exec)[ (]{1,4}["']|`|%x\(/;

/** True if a shell text may be longer than the part that is read. */
function hasLongRakeText(text: string): boolean {
  return text.split("\n").some((line) => {
    const at = line.length > quotedLength ? line.search(rakeStart) : -1;
    return at >= 0 && line.length - at > quotedLength;
  });
}

const rakeText =
  /\b(?:sh|system|exec)[ (]{1,4}(?:'((?:[^'\\]|\\.){0,2048})'|"((?:[^"\\]|\\.){0,2048})")|`([^`]{0,2048})`|%x\(([^)%]{0,2048})\)/g;

const proseKeys: ReadonlySet<string> = new Set(
  "name version description license author homepage repository url main type keywords bugs funding".split(" "),
);

/** The scripts of a `package.json`; of a part of one, every text that may be a script. */
const packageJson: Extract = (text, whole) => {
  const scripts = whole ? own(own(parsed(text), "scripts")) : undefined;
  const texts = scripts ? Object.values(scripts).filter((one) => typeof one === "string") : scriptLines(text);
  return { texts, folder: "own", elsewhere: false };
};

function parsed(text: string): unknown {
  spend(1 + (text.length >> 4));
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function own(value: unknown, name?: string): Readonly<Record<string, unknown>> | undefined {
  const found =
    name === undefined || value === null || typeof value !== "object" || !Object.hasOwn(value, name)
      ? name === undefined
        ? value
        : undefined
      : (value as Readonly<Record<string, unknown>>)[name];
  return found !== null && typeof found === "object" && !Array.isArray(found)
    ? (found as Readonly<Record<string, unknown>>)
    : undefined;
}

/** Members with a text, at any place in a part of an object. */
const member = /"([\w:.-]+)"\s*:\s*("(?:[^"\\\n]|\\.)*")/g;

function scriptLines(text: string): string[] {
  spend(text.length >> 3);
  return [...text.matchAll(member)].flatMap((match) => {
    const value = proseKeys.has(match[1] as string) ? undefined : parsed(match[2] as string);
    return typeof value === "string" ? [value] : [];
  });
}

const dockerfile: Extract = (text) => ({ texts: dockerfileTexts(text), folder: "working", elsewhere: true });

const pipelineCommands: YamlCommands = {
  keys: /^(?:run|(?:before_|after_|pre_get_sources_)?(?:script|install|deploy)|after_(?:success|failure)|commands?|bash|pwsh|powershell)$/,
};

/** Texts that CI files run, also by another interpreter that `shell` names beside them. */
const workflow: Extract = (text, whole) => {
  const runners = new Map<string, Runner>();
  const run = (shell: string, plain: string): string => {
    const known = runners.get(shell) ?? runnerOf(shell);
    runners.set(shell, known);
    return known(plain);
  };
  const texts = yamlValues(text, pipelineCommands, whole).flatMap(({ key, text: one, group }) => {
    spend(2);
    const plain = one.replace(workflowTemplate, `\${${unknownVariable}}`);
    const other = run(/^(?:pwsh|powershell)$/.test(key) ? key : (group.shell ?? ""), plain);
    return other === plain ? [plain] : [plain, other];
  });
  return { texts, folder: "working", elsewhere: true };
};

const pipeline: Extract = (text) => ({ texts: pipelineTexts(text), folder: "working", elsewhere: true });
const cmake: Extract = (text) => ({ texts: cmakeTexts(text), folder: "own", elsewhere: false });
const vim: Extract = (text) => ({ texts: vimTexts(text), folder: "working", elsewhere: false });

/** Lines of a Procfile: a name of any kind, a colon and a command. */
const procfile: Extract = (text) => ({
  texts: text.split("\n").flatMap((line) => {
    spend(1);
    const found = /^(?!#)[^:]{1,256}:(.*)$/s.exec(line.trimStart());
    return found ? [(found[1] as string).trim()] : [];
  }),
  folder: "working",
  elsewhere: false,
});

const crontab: Extract = (text) => ({ texts: cronLines(text), folder: "working", elsewhere: false });
/** Reads a system crontab, which names a user before the command. */
const systemCrontab: Extract = (text) => ({
  texts: cronLines(text).map((line) => line.replace(/^\S+\s+/, "")),
  folder: "working",
  elsewhere: false,
});

const unit: Extract = (text) => ({
  texts: joinedLines(text).flatMap((line) => {
    const match = /^(?:Exec\w*)\s*=\s*[-@:+!]*(.*)$/s.exec(line);
    return match ? [match[1] as string] : [];
  }),
  folder: "working",
  elsewhere: false,
});

const gitConfig: Extract = (text) => ({ texts: gitSettings(text), folder: "working", elsewhere: false });
const launchd: Extract = (text) => ({ texts: launchdCommands(text), folder: "working", elsewhere: false });
const ssh: Extract = (text) => ({ texts: sshCommands(text), folder: "working", elsewhere: false });

/** Files of CMake, whose usual name ends as that of a document. */
const cmakeFile = /(?:^|\/)CMakeLists\.txt$|\.cmake$/i;

const kinds: readonly (readonly [RegExp, Extract])[] = [
  [cmakeFile, cmake],
  [hook, script],
  [shellFile, script],
  [/(?:^|\/)(?:GNU|BSD)?makefile(?:[.-][\w.-]+)?$|\.(?:mk|mak|make)$/i, makefile],
  [/(?:^|\/)\.?justfile$|\.just$/i, justfile],
  [/(?:^|\/)taskfile[\w.-]*\.ya?ml$/i, taskfile],
  [/(?:^|\/)procfile(?:[._-][\w.-]+)?$/i, procfile],
  [/(?:^|\/)jenkinsfile(?:[._-][\w.-]+)?$|\.jenkinsfile$/i, pipeline],
  [/(?:^|\/)[._]?(?:g?vim|n?ex|nvim|view)rc$|\.n?vim(?:rc)?$|\.lua$(?<=(?:^|\/)(?:nvim\/.*|\.nvim\.lua))/is, vim],
  [/(?:^|\/)rakefile(?:\.rb)?$|\.rake$/i, rakefile],
  [/(?:^|\/)package\.json$/i, packageJson],
  [/(?:^|\/)(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\.(?:dockerfile|containerfile)$/i, dockerfile],
  [
    /(?:^|\/)(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.?appveyor|\.drone|\.woodpecker|action)\.ya?ml$|\.ya?ml$(?<=(?:^|\/)\.(?:github\/(?:workflows|actions)|circleci|buildkite|gitea|forgejo|woodpecker|gitlab)\/.*)/is,
    workflow,
  ],
  [/(?:^|\/)etc\/(?:crontab|cron\.d\/[^/]+)$/, systemCrontab],
  [/(?:^|\/)(?:crontab|crontabs\/[^/]+|cron\/crontabs\/[^/]+)$|\.(?:cron|crontab)$/i, crontab],
  [/(?:^|\/)etc\/cron\.(?:hourly|daily|weekly|monthly)\/[^/]+$/, script],
  [/\.(?:service|desktop)$/i, unit],
  [
    /(?:^|\/)(?:\.git\/(?:modules\/.{1,256}\/)?config(?:\.worktree)?|\.gitconfig(?:[.-][\w.-]+)?|\.gitmodules|etc\/gitconfig|git\/config)$/is,
    gitConfig,
  ],
  [/(?:^|\/)Launch(?:Agents|Daemons)\/[^/]+\.plist$/i, launchd],
  [/(?:^|\/)(?:\.ssh\/rc|ssh\/sshrc)$/, script],
  [/(?:^|\/)(?:\.ssh\/(?:config|authorized_keys2?|config\.d\/[^/]+)|ssh\/ssh_config(?:\.d\/[^/]+)?)$/, ssh],
];

const shells: ReadonlySet<string> = new Set(shellNames);

/** True for a text whose first line names a shell as its interpreter. */
function isShellScript(text: string): boolean {
  if (!text.startsWith("#!")) return false;
  return interpreterOf(text).some((word) => word.split(/\s+/).some((one) => shells.has(programName(one))));
}

/**
 * Returns the shell texts in a file that a tool runs on its own, or that is made to be run; undefined for any other file, whose
 * text is data. `whole` is false for a part of a file; a file over a bound has no texts. Source: threats page, classes 9 and 12.
 */
export function scriptsIn(path: string, content: string, whole: boolean): Scripts | undefined {
  // No system opens a longer path.
  if (path.length > 4096 || (documents.test(path) && !cmakeFile.test(path))) return undefined;
  const kind = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? (isShellScript(content) ? script : undefined);
  if (!kind) return content.length > contentLength ? undefined : tasksIn(path, content, whole);
  if (content.length > contentLength) return unread("more text");
  const found = kind(content, whole);
  return found.texts.length > textCount ? unread("more commands") : found;
}

function tasksIn(path: string, content: string, whole: boolean): Scripts | undefined {
  return taskTexts(path, content, whole).reduceRight<Scripts | undefined>(
    (further, found) => ({ ...found, folder: "working", ...(further && { further }) }),
    undefined,
  );
}

function unread(over: string): Scripts {
  return { texts: [], folder: "own", elsewhere: false, over };
}
