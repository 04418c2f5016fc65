import { type Requirement, requirements } from "./requirement.ts";

const seed = "gastown-hooks-v1.1";

const testOf =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`;

const onPi = testOf("test/hosts/gastown.ts");
const limits = testOf("test/hosts/gastown/limits.ts");
const failures = testOf("test/hosts/gastown/failures.ts");
const config = testOf("test/adapters/gastown/config.test.ts");
const hookRuns = testOf("test/adapters/gastown/hook-runs.test.ts");
const changes = testOf("test/adapters/gastown/hook-changes.test.ts");
const hooks = testOf("test/adapters/gastown/hooks.test.ts");
const log = testOf("test/adapters/gastown/log.test.ts");
const programs = testOf("test/adapters/gastown/programs.test.ts");
const base = testOf("test/adapters/gastown/base-configuration.test.ts");
const heard = testOf("test/adapters/gastown/heard-decisions.test.ts");
const matcher = testOf("test/adapters/gastown/matcher.test.ts");

/** The log, compatibility and the acceptance criteria. */
export const gastownSessionRequirements: readonly Requirement[] = [
  ...requirements(seed, "5 Log", [
    [
      "gt-log-fields",
      "the log has event, command, duration, exit code, decision, reason and configuration source",
      log("has event, command, duration, exit code, decision, reason and source, always in one order"),
      onPi("the log has every field"),
      onPi("and named as the source"),
      onPi("the source is the default"),
    ],
    [
      "gt-log-level",
      "its level follows the host's verbosity",
      log("shows warnings and errors, and the rest only when verbose"),
      heard("goes to the host's interface where there is one, once, and never to the screen"),
      onPi("a warning goes to pi's interface, once"),
      onPi("and nothing is written beside it"),
    ],
    [
      "gt-log-sensitive",
      "it leaks no sensitive payload and cuts long output",
      log("cuts stdout and stderr to 2,000 characters each, after masking"),
      config("does not tell what its text says when it cannot be read"),
      limits("the log masks a secret that a hook prints"),
      limits("the log cuts what a hook prints to 2,000 characters"),
    ],
    [
      "gt-log-redaction",
      "secrets are masked at every level",
      log("masks secrets at every level (verbose: %s)"),
      hooks("shows no secret and no control character in the reason"),
      limits("the log masks a secret that a hook prints"),
    ],
    [
      "gt-log-caps",
      "standard output and standard error are cut to 2,000 characters each",
      log("cuts stdout and stderr to 2,000 characters each, after masking"),
      limits("the log cuts what a hook prints to 2,000 characters"),
    ],
    [
      "gt-log-quiet",
      "masking gives no warnings of its own",
      log("adds no warnings for masking"),
      limits("masking warns nobody"),
    ],
    [
      "gt-log-metadata",
      "that something was masked or cut is told when verbose",
      log("tells that it masked or cut only when verbose"),
      hooks("shows no secret and no control character in the reason"),
      limits("that something was masked or cut is told when verbose alone"),
    ],
  ]),
  ...requirements(seed, "6 Non-goals", [
    [
      "gt-not-ui",
      "no prompt for permission",
      hooks("ask counts as allow, with a warning"),
      onPi("a hook's ask counts as allow"),
    ],
    [
      "gt-not-sandbox",
      "no sandbox: a hook is the user's own command, with the user's own environment",
      hookRuns("is started by the shell with the user's own text, and reads the event from standard input"),
    ],
    [
      "gt-not-matchers",
      "matchers stay simple: names, alternatives, a pattern for the command or path",
      matcher("%s on %s %o is %s"),
      matcher("that cannot be compiled says so"),
      hookRuns("runs where its matcher fits"),
      limits("a matcher names the tools that its hooks are for"),
    ],
    [
      "gt-not-events",
      "no new events: of those that pi lacks the configuration is told",
      config("says which events never happen on pi"),
      onPi("with one structured error"),
    ],
  ]),
  ...requirements(seed, "7 Compatibility with v1", [
    [
      "gt-v1-defaults",
      "the built-in hooks are `gt prime`, `bd sync` and `gt tap guard`, for the session's start, compaction and tool calls",
      hooks("by %s runs the built-in hooks with 5 seconds each, and none after a tool"),
      onPi("v1: what `gt prime` prints is in the first prompt"),
      onPi("v1: `bd sync` runs before compaction"),
    ],
    [
      "gt-v1-shell",
      "commands are run by `/bin/sh -lc` as they are written, with the event as JSON on standard input",
      hookRuns("is started by the shell with the user's own text, and reads the event from standard input"),
      programs("reads the event from standard input, and nothing of the event is run"),
      programs("gets the environment of the user's login shell"),
      onPi("the hook is told of the call"),
    ],
    [
      "gt-v1-timeout",
      "a hook has 5 seconds; then it is ended with all it started",
      config("has 5 seconds for a hook that says nothing else, and takes seconds"),
      programs("that takes too long is ended with all it started, and the call goes on"),
      failures("a hook that hangs is cut off"),
    ],
    [
      "gt-v1-missing",
      "a missing program is skipped",
      hooks("skips a missing program without a word on the screen"),
      programs("whose program is missing is skipped"),
      onPi("v1: missing programs are skipped"),
      onPi("and the log says so"),
    ],
    [
      "gt-v1-open",
      "any other exit code goes on",
      hookRuns("that %s stops nothing, with a warning"),
      changes("of a hook that failed is not its raw output"),
      onPi("v1: any other exit code goes on, in the mode by option"),
    ],
  ]),
  ...requirements(seed, "8 Acceptance criteria (on the real pi)", [
    [
      "gt-accept-flag",
      "runs with hooks given by the option",
      config("is the option before the variable, and that before the built-in hooks"),
      onPi("runs with hooks given by the option"),
    ],
    [
      "gt-accept-block",
      "a decision in JSON blocks the call",
      hooks("deny blocks the call, with its reason in the error and in the log, and no later hook runs"),
      onPi("control: without hooks the marker command runs"),
      onPi("a deny in JSON blocks the call"),
    ],
    [
      "gt-accept-input",
      "`updatedInput` changes the arguments",
      changes("is put over the arguments, one level deep, in place, and the next hook sees it"),
      onPi("updatedInput changes what runs"),
    ],
    [
      "gt-accept-context",
      "`additionalContext` is in what the model reads",
      changes("of several hooks is one block at the next prompt, in their order"),
      onPi("additionalContext is in the next prompt"),
    ],
    [
      "gt-accept-defaults",
      "the built-in hooks do not run beside a runtime configuration",
      hooks("never runs the built-in hooks beside a runtime configuration"),
      onPi("no built-in hook runs beside it"),
    ],
    [
      "gt-accept-v1",
      "the tests of v1 pass: not applicable, as v1 is another program; its built-in hooks are tested instead",
      hooks("exit code %d of the guard blocks: %s"),
      onPi("v1: `gt prime` and `gt tap guard` run in gastown mode"),
      onPi("v1: exit code 2 blocks"),
      onPi("v1: any other exit code goes on, in the mode by option"),
      onPi("v1: missing programs are skipped"),
      onPi("v1: `bd sync` runs before compaction"),
    ],
    [
      "gt-accept-invalid",
      "an invalid configuration disables hooks and ends no session",
      hooks("is one structured error, and no hook runs in the session, not even a built-in one"),
      onPi("an invalid configuration ends no session"),
      onPi("and disables the hooks"),
    ],
    [
      "gt-accept-order",
      "several hooks of one turn inject in a fixed order",
      changes("of several hooks is one block at the next prompt, in their order"),
      onPi("several hooks of one turn give one block"),
      onPi("in the order in which they ran"),
      onPi("the same each time"),
    ],
  ]),
  ...requirements(seed, "9 Migration", [
    [
      "gt-migration",
      "Gastown can pass its own configuration as it is",
      base("denies %s, though the login shell prints first"),
      base("tells the model what start, prompt and compaction say"),
      base("neither waits for what Stop leaves in the background nor ends it"),
      matcher("%s on %s %o is %s"),
      onPi("a Stop hook with `&` holds no end up"),
      onPi("and lives on when pi has ended"),
      config("may be the hooks object or an object that holds it"),
    ],
  ]),
];
