import { spend, spendText } from "../meter.ts";
import { cronLines, shellNames } from "../programs/shells.ts";
import { unknownVariable } from "../shell/fields.ts";
import { programName } from "../shell/names.ts";
import { interpreterOf } from "../shell/scripts.ts";
import { gitSettings, launchdCommands, sshCommands } from "./config-texts.ts";
import { taskTexts } from "./task-files.ts";

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
  return text.replace(/\\\r?\n/g, " ").split(/\r?\n/);
}

/** Recipes of a makefile: each line is a shell text of its own; variables are their constants where those are known. */
const makefile: Extract = (text) => {
  const values = new Map<string, string>();
  const texts: string[] = [];
  for (const line of joinedLines(text)) {
    const set = /^[ ]*(?:export[ ]+)?([\w.-]+)[ ]*[:?]{0,2}=[ ]*(.*)$/s.exec(line);
    if (set) values.set(set[1] as string, (set[2] as string).trim());
    if (line.startsWith("\t")) texts.push(madeLine(line, values));
  }
  return { texts, folder: "own", elsewhere: false };
};

function madeLine(line: string, values: ReadonlyMap<string, string>): string {
  spend(2 + (line.length >> 3));
  return line
    .replace(/^[\t ]*[@+-]*/, "")
    .replace(/\$(?:\$|\(([\w.-]+)\)|\{([\w.-]+)\}|[@<^*?])/g, (found, round?: string, curly?: string) => {
      if (found === "$$") return "$";
      if ((round ?? curly) === "HOME" && !values.has("HOME")) return "$HOME";
      const value = values.get(round ?? curly ?? "");
      spendText(value?.length ?? 0);
      return value === undefined || value.includes("$") ? `\${${unknownVariable}}` : value;
    })
    .replace(/\$\(shell /g, "$(");
}

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

/** `cmds:` and `cmd:` of a Taskfile: texts of a list, or one on the line. */
const taskfile: Extract = (text) => ({
  texts: joinedLines(text).flatMap((line) => {
    const found = /^\s*(?:-\s+)?(?:(?:cmds?|sh|task)\s*:\s*(?![|>[{]|$)(.+)|(?<=-\s)(?![\w-]+\s*:)(.+))$/s.exec(line);
    const one = found?.[1] ?? found?.[2];
    return one === undefined ? [] : [unquoted(one).replace(template, `\${${unknownVariable}}`)];
  }),
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

const dockerfile: Extract = (text) => ({
  texts: joinedLines(text).flatMap((line) => {
    const match = /^\s*(?:ONBUILD\s+)?RUN\s+(?:--\S+\s+)*(.*)$/is.exec(line);
    return match ? [match[1] as string] : [];
  }),
  folder: "working",
  elsewhere: true,
});

/** `run:` and `script:` of CI files: a text on the line, a block beneath, or a list beneath. */
const workflow: Extract = (text) => {
  const texts: string[] = [];
  const lines = text.split(/\r?\n/);
  spend(2 * lines.length + (text.length >> 5));
  for (let i = 0; i < lines.length; i++) {
    const match = /^(\s*(?:-\s+)?)(?:run|script|before_script|after_script|command|bash)\s*:\s*(.*)$/s.exec(
      lines[i] ?? "",
    );
    if (!match) continue;
    const indent = (match[1] as string).length;
    const rest = (match[2] as string).trim();
    if (rest !== "" && !/^[|>][+-]?\d*$/.test(rest)) {
      texts.push(unquoted(rest));
      continue;
    }
    const block: string[] = [];
    while (i + 1 < lines.length && isBeneath(lines[i + 1] as string, indent)) block.push((lines[++i] as string).trim());
    if (rest === "") {
      for (const line of block) if (line.startsWith("- ")) texts.push(unquoted(line.slice(2)));
    } else texts.push(block.join("\n"));
  }
  const plain = texts.map((one) => one.replace(workflowTemplate, `\${${unknownVariable}}`));
  return { texts: plain, folder: "working", elsewhere: true };
};

function isBeneath(line: string, indent: number): boolean {
  return line.trim() === "" || line.length - line.trimStart().length > indent;
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/s.exec(text.trim());
  return match ? (match[2] as string) : text.trim();
}

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

const kinds: readonly (readonly [RegExp, Extract])[] = [
  [hook, script],
  [shellFile, script],
  [/(?:^|\/)(?:GNU)?makefile(?:\.[\w-]+)?$|\.(?:mk|make)$/i, makefile],
  [/(?:^|\/)\.?justfile$|\.just$/i, justfile],
  [/(?:^|\/)taskfile(?:\.dist)?\.ya?ml$/i, taskfile],
  [/(?:^|\/)rakefile(?:\.rb)?$|\.rake$/i, rakefile],
  [/(?:^|\/)package\.json$/i, packageJson],
  [/(?:^|\/)(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\.(?:dockerfile|containerfile)$/i, dockerfile],
  [
    /(?:^|\/)(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|action)\.ya?ml$|\.ya?ml$(?<=(?:^|\/)\.(?:github\/(?:workflows|actions)|circleci|gitea|forgejo|woodpecker|gitlab)\/.*)/is,
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
  if (path.length > 4096 || documents.test(path)) return undefined;
  const kind = kinds.find(([pattern]) => pattern.test(path))?.[1] ?? (isShellScript(content) ? script : undefined);
  if (!kind) return content.length > contentLength ? undefined : tasksIn(path, content);
  if (content.length > contentLength) return unread("more text");
  const found = kind(content, whole);
  return found.texts.length > textCount ? unread("more commands") : found;
}

function tasksIn(path: string, content: string): Scripts | undefined {
  return taskTexts(path, content).reduceRight<Scripts | undefined>(
    (further, found) => ({ ...found, folder: "working", ...(further && { further }) }),
    undefined,
  );
}

function unread(over: string): Scripts {
  return { texts: [], folder: "own", elsewhere: false, over };
}
