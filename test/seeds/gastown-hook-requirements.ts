import { type Requirement, requirements } from "./requirement.ts";

const seed = "gastown-hooks-v1.1";

const testOf =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`;

const onPi = testOf("test/hosts/gastown.ts");
const limits = testOf("test/hosts/gastown/limits.ts");
const config = testOf("test/adapters/gastown/config.test.ts");
const hookRuns = testOf("test/adapters/gastown/hook-runs.test.ts");
const changes = testOf("test/adapters/gastown/hook-changes.test.ts");
const hooks = testOf("test/adapters/gastown/hooks.test.ts");
const answer = testOf("test/adapters/gastown/answer.test.ts");
const heard = testOf("test/adapters/gastown/heard-decisions.test.ts");
const block = testOf("test/adapters/gastown/context-block.test.ts");
const programs = testOf("test/adapters/gastown/programs.test.ts");
const verbatim = testOf("test/seeds/gastown/verbatim.test.ts");

/** Configuration, decisions, arguments and context. */
export const gastownHookRequirements: readonly Requirement[] = [
  ...requirements(seed, "1 Runtime configuration", [
    [
      "gt-config-runtime",
      "hooks can be given when pi starts",
      config("is the option before the variable, and that before the built-in hooks"),
      onPi("runs with hooks given by the option"),
    ],
    [
      "gt-config-order",
      "`--hooks-config <path>` goes before `PI_HOOKS_JSON`, and that before the built-in hooks",
      config("is the option before the variable, and that before the built-in hooks"),
      onPi("the option goes before the variable"),
      onPi("the variable is taken without the option"),
    ],
    [
      "gt-config-flag",
      "`--hooks-config` is an option of the command line",
      hooks("are registered with pi"),
      onPi("runs with hooks given by the option"),
    ],
    [
      "gt-config-env",
      "`PI_HOOKS_JSON` holds the configuration as JSON",
      config("may be the hooks object or an object that holds it"),
      onPi("the variable is taken without the option"),
    ],
    [
      "gt-config-default",
      "the built-in hooks count in gastown mode only",
      config("is nothing outside gastown mode when none is configured"),
      hooks("by %s runs the built-in hooks with 5 seconds each, and none after a tool"),
      hooks("with %s is off: nothing runs"),
      onPi("control: outside gastown mode nothing is started"),
    ],
    [
      "gt-config-claude",
      "`.claude/settings*.json` is read only where asked for",
      config("is never .claude/settings*.json without the switch"),
      onPi("settings of Claude Code are not read by default"),
      onPi("and are with the switch"),
    ],
    [
      "gt-config-excludes",
      "with a runtime configuration no built-in hook runs",
      hooks("never runs the built-in hooks beside a runtime configuration"),
      onPi("no built-in hook runs beside it"),
    ],
    [
      "gt-config-validated",
      "the configuration is validated when the session starts",
      config("with %s is refused with the reason, and nothing else runs"),
      hookRuns("is the one that was configured when the session began, whatever happens to the configuration later"),
      onPi("an invalid configuration ends no session"),
      onPi("and disables the hooks"),
      onPi("with one structured error"),
    ],
    [
      "gt-config-error",
      "one that is invalid is a structured error with source and reason",
      hooks("is one structured error, and no hook runs in the session, not even a built-in one"),
      hooks("is told to a human who looks on"),
      onPi("with one structured error"),
    ],
    [
      "gt-config-disabled",
      "then hooks are off for the session, which goes on",
      hooks("is one structured error, and no hook runs in the session, not even a built-in one"),
      onPi("an invalid configuration ends no session"),
      onPi("and disables the hooks"),
      onPi("policies stay on when the hook configuration is invalid"),
    ],
    [
      "gt-config-no-fallback",
      "and neither the built-in hooks nor a lower source take their place",
      hooks("of the option does not fall back to a valid variable"),
      config("named as %s is refused and falls back to nothing"),
      onPi("and does not fall back to the built-in ones"),
      onPi("the same for text that is no JSON"),
    ],
    [
      "gt-config-none",
      "without a runtime configuration the built-in hooks run in gastown mode",
      hooks("by %s runs the built-in hooks with 5 seconds each, and none after a tool"),
      onPi("v1: `gt prime` and `gt tap guard` run in gastown mode"),
      verbatim("of %s run as they stand, each by a stand-in"),
    ],
  ]),
  ...requirements(seed, "2 Decisions", [
    [
      "gt-decision-json",
      "hooks before and after a tool may answer in JSON on standard output",
      answer("in JSON gives decision, reason, context and arguments"),
      hooks("of a hook after the tool withholds the result as an error"),
      onPi("a deny in JSON blocks the call"),
      onPi("additionalContext is in the next prompt"),
      verbatim("with %s chosen is that decision, before a tool and after it"),
    ],
    [
      "gt-decision-fields",
      "the fields are `decision` (allow, deny, ask), `reason` and `additionalContext`",
      answer("may decide %s"),
      answer("with a %s of the wrong kind leaves it out with a warning"),
      onPi("a deny in JSON blocks the call"),
      onPi("its reason is the tool's error"),
      onPi("a hook's ask counts as allow"),
      onPi("additionalContext is in the next prompt"),
      verbatim("is valid JSON with three fields, and offers three decisions"),
      verbatim("has each of its fields read"),
    ],
    [
      "gt-decision-deny",
      "`deny` blocks the call",
      hooks("deny blocks the call, with its reason in the error and in the log, and no later hook runs"),
      hooks("deny holds whatever the exit code"),
      heard("is heard with text %s, which is warned of"),
      heard("that cannot be read blocks: %s"),
      heard("deny counts when it was heard before %s, and nothing else does"),
      programs("that a signal ends after it denied has denied"),
      onPi("a deny between other text blocks"),
      onPi("a deny behind the greeting of a login shell blocks"),
      onPi("a deny before a signal blocks"),
      onPi("half a deny blocks"),
      onPi("a deny in JSON blocks the call"),
      verbatim("as it stands decides for nobody, and blocks at %s"),
      verbatim("with %s chosen is that decision, before a tool and after it"),
    ],
    [
      "gt-decision-allow",
      "`allow` lets it go on",
      hooks("allow lets the call go on"),
      onPi("a hook's allow lifts no policy"),
      verbatim("with %s chosen is that decision, before a tool and after it"),
    ],
    [
      "gt-decision-ask",
      "`ask` counts as allow, since hooks have nobody to ask",
      hooks("ask counts as allow, with a warning"),
      onPi("a hook's ask counts as allow"),
      onPi("a policy's ask never becomes allow"),
      verbatim("with %s chosen is that decision, before a tool and after it"),
    ],
    [
      "gt-decision-ask-warned",
      "and is logged as a warning",
      hooks("ask counts as allow, with a warning"),
      onPi("with a warning"),
    ],
    [
      "gt-decision-reason",
      "`reason` stands in the log and in the tool's error",
      hooks("deny blocks the call, with its reason in the error and in the log, and no later hook runs"),
      onPi("its reason is the tool's error"),
      onPi("and stands in the log"),
    ],
    [
      "gt-decision-context",
      "`additionalContext` goes to the model with its next turn",
      changes("of several hooks is one block at the next prompt, in their order"),
      changes("is delivered even when its hook blocks"),
      onPi("additionalContext is in the next prompt"),
    ],
    [
      "gt-decision-exit",
      "exit codes mean what they meant: 2 blocks",
      hooks("exit code %d of the guard blocks: %s"),
      hooks("allow does not lift exit code 2"),
      programs("blocks with exit code 2 and what it wrote to standard error"),
      onPi("v1: exit code 2 blocks"),
    ],
  ]),
  ...requirements(seed, "3 updatedInput", [
    [
      "gt-input-field",
      "hooks before a tool may answer with `updatedInput`, an object",
      answer("in JSON gives decision, reason, context and arguments"),
      onPi("updatedInput changes what runs"),
      verbatim("filled in with %s is put over the arguments"),
    ],
    [
      "gt-input-merge",
      "it is merged into the arguments before the call runs",
      changes("is put over the arguments, one level deep, in place, and the next hook sees it"),
      changes("for a call that a guard judged before is a block, never a change"),
      heard("is judged by the hooks before it once more, with what it put in"),
      onPi("what a later hook put in is judged by the earlier one"),
      onPi("updatedInput changes what runs"),
      onPi("policies judge what hooks made of a call"),
      verbatim("filled in with %s is put over the arguments"),
    ],
    [
      "gt-input-shallow",
      "the merge is one level deep",
      changes("is put over the arguments, one level deep, in place, and the next hook sees it"),
      limits("updatedInput is merged: arguments that it does not name stay"),
    ],
    [
      "gt-input-invalid",
      "invalid JSON is ignored with a warning",
      answer("in malformed JSON decides nothing and is warned of"),
      answer("nested too deep is malformed, and nothing throws"),
      hooks("that is malformed is ignored with a warning"),
      verbatim("as it stands is no JSON: the arguments stay, and somebody is told"),
    ],
    [
      "gt-input-limited",
      "only the arguments can be changed",
      changes("changes neither tool nor call id"),
      changes("%s changes nothing"),
      limits("an answer changes the arguments alone"),
    ],
    [
      "gt-input-immutable",
      "the tool's name and the call's id stay",
      changes("changes neither tool nor call id"),
      limits("tool and id of the call stay"),
    ],
    [
      "gt-input-keys",
      "`__proto__`, `prototype` and `constructor` are ignored",
      answer("never gives __proto__, prototype and constructor, at any depth, and says so"),
      changes("never reaches into an object's prototype, and the log says so"),
      onPi("and the guarded key is ignored and logged"),
      verbatim("filled in with %s changes nothing, with a warning"),
    ],
  ]),
  ...requirements(seed, "4 Context", [
    [
      "gt-context-structured",
      "text for the model is injected in a structure of its own, not as raw output joined on",
      block("is one marked block, in the order in which the hooks ran"),
      block("cannot end its block or begin another"),
      onPi("in a block of its own, without the raw JSON"),
    ],
    [
      "gt-context-prefer",
      "`additionalContext` goes before raw output",
      answer("prefers additionalContext over the raw output"),
      onPi("in a block of its own, without the raw JSON"),
    ],
    [
      "gt-context-raw",
      "raw output still counts where there is no such field",
      answer("that is no JSON is raw text for the model"),
      hooks("gives raw output to the model, as v1 does"),
      onPi("raw output of the session's start is in the first prompt"),
    ],
    [
      "gt-context-block",
      "it is attached as a block that is marked as hook context",
      block("is one marked block, in the order in which the hooks ran"),
      changes("of the session's start and of the prompt comes with the prompt"),
      onPi("several hooks of one turn give one block"),
    ],
    [
      "gt-context-next",
      "it is delivered when the next prompt is put together",
      block("comes with the next prompt, and stays where it was in the prompts after it"),
      block("goes with the message that it followed, and with another session"),
      block("stays when more is said later, each behind its own message"),
      changes("of an earlier session does not come in the next one"),
      onPi("and what was said stays where it was"),
    ],
    [
      "gt-context-order",
      "several injections of one turn are joined in the order in which the hooks ran",
      changes("of several hooks is one block at the next prompt, in their order"),
      block("is in the order of the calls when tools ran side by side"),
      onPi("in the order in which they ran"),
    ],
  ]),
];
