import { type Requirement, requirements } from "./requirement.ts";

const testOf =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`;
const compiled = testOf("test/adapters/opta/compiled.test.ts");
const examples = testOf("test/adapters/opta/examples.test.ts");
const guard = testOf("test/adapters/opta/guard.test.ts");
const json = testOf("test/adapters/opta/json-hooks.test.ts");
const load = testOf("test/adapters/opta/load.test.ts");
const loop = testOf("test/adapters/opta/agent-loop.test.ts");
const agent = testOf("test/adapters/opta/example-agent.test.ts");
const verbatim = testOf("test/seeds/opta/verbatim.test.ts");
const manager = testOf("test/adapters/opta/manager.test.ts");
const task = testOf("test/seeds/opta/manager.test.ts");
const seed = "opta-hook-system";

/** Sentences of the seed opta-hook-system, sections 6 to 9. */
export const optaTaskRequirements: readonly Requirement[] = [
  ...requirements(seed, "6. Tasks", [
    [
      "opta.task.1",
      "Nothing configured: nothing is cancelled.",
      task("returns non-cancelled when no hooks configured"),
      task("create([]) returns no-op manager"),
    ],
    [
      "opta.task.2",
      "Hooks run with their variables, and only at their event.",
      task("fires hook and passes env vars"),
      task("skips hooks for non-matching events"),
      manager("session.start has the four that are always there"),
      compiled("run at their own event alone: %s"),
    ],
    [
      "opta.task.3",
      "Matchers filter by the tool's name.",
      task("matcher regex filters by tool name"),
      task("matches MCP tool names with mcp__.*"),
    ],
    [
      "opta.task.4",
      "Non-zero before a tool cancels, after it does not.",
      task("non-zero exit on tool.pre cancels with stderr reason"),
      task("non-zero exit on tool.post does NOT cancel"),
    ],
    ["opta.task.5", "A hook that takes too long is ended.", task("kills hooks exceeding timeout")],
    [
      "opta.task.6",
      "A background hook does not hold the loop up.",
      task("background hooks do not block"),
      manager("end a hook in the background too"),
    ],
    [
      "opta.task.7",
      "The schema parses hooks, rejects unknown events, and defaults to none.",
      task("parses hooks from config"),
      task("rejects invalid event name"),
      task("defaults to empty array"),
    ],
    [
      "opta.task.8",
      "The loop has its call sites.",
      agent("fires at each of its places, and ends right after the last"),
      loop("fires at the start, round each tool, after compaction and at the end"),
      loop("fires after a tool that failed"),
      loop("fires on an error with its message"),
      loop("skips a cancelled tool, hands standard error to the model and goes on"),
    ],
  ]),
  ...requirements(seed, "7. Scripts", [
    [
      "opta.script.shipped",
      "Three scripts are shipped as examples, and as policies.",
      examples("are configured by the example"),
      examples("lints and tests after %s of %s"),
    ],
    [
      "opta.script.block-rm",
      "`block-rm.sh` cancels a recursive rm.",
      verbatim("block-rm.sh looks at the text %j, which nobody runs: %s"),
      examples("a recursive rm"),
      examples("a recursive rm in its long form"),
      examples("the rm of one file"),
      examples("blocks a recursive delete that the script cannot see, and lets text about one pass"),
    ],
    [
      "opta.script.auto-lint",
      "`auto-lint.sh` lints what was edited, by the ending of its name.",
      verbatim("auto-lint.sh after %s of %s"),
      examples("auto-lint and auto-test after %s of %s"),
    ],
    [
      "opta.script.auto-test",
      "`auto-test.sh` runs the tests in the background after TypeScript was written.",
      verbatim("auto-test.sh runs the tests in the background"),
      examples("auto-lint and auto-test after %s of %s"),
    ],
  ]),
  ...requirements(seed, "8. Order", [
    [
      "opta.order",
      "The tasks build on one another: configuration, manager, execution, matchers, cancelling, time-outs, background, the loop, scripts.",
      load("keeps other settings, and leaves out fields of a hook that nobody reads"),
      loop("fires at the start, round each tool, after compaction and at the end"),
      examples("are configured by the example"),
    ],
  ]),
  ...requirements(seed, "9. V4", [
    [
      "opta.v4.stdin",
      "The whole context comes on standard input.",
      json("get the context on standard input, arguments as an object and results cut"),
      json("get arguments that are too long for a variable"),
    ],
    [
      "opta.v4.decision",
      "An answer in JSON allows, denies or asks.",
      json("deny, with its reason"),
      json("no JSON, which cancels"),
      json("cancel where nobody can be asked"),
      json("approval lets the call run"),
    ],
    [
      "opta.v4.updated-input",
      "`updatedInput` rewrites the arguments before the tool runs.",
      json("new arguments, laid over those of the call"),
      json("have every other hook see what they rewrite, those before them once more"),
      json("that rewrite each other's arguments without end cancel"),
    ],
    [
      "opta.v4.prompt-pre",
      "`prompt.pre` comes before a prompt is processed.",
      json("rewrites and refuses what the user typed"),
      guard("a prompt is redacted or refused"),
    ],
    [
      "opta.v4.stop",
      "`stop` makes the agent go on, apart from `session.end`.",
      json("sends the agent on, with the reason"),
      json("lets the agent stop when hooks send it on for ever, until it gets on with something"),
    ],
    [
      "opta.v4.prompts",
      "A hook may be a prompt that a model judges.",
      agent("asks the model with the call as data, and lets the call run"),
      agent("lets nothing run after %s"),
      json("ask the judge of the host, with the context as data"),
      json("are cancelled by %s"),
      guard("is an observation on record, redacted"),
    ],
    [
      "opta.v4.plugins",
      "Hooks of MCP plugins are loaded by themselves.",
      load("the user's hooks come first, the project's next, those of plugins last"),
      load("a plugin's hook knows its own folder"),
    ],
    [
      "opta.v4.menu",
      "`/hooks` is a menu for managing hooks.",
      load("lists hooks, shows one whole, and turns it off and on for the session"),
      load("is the command `hooks` of a host, and says so where nothing is configured"),
    ],
    [
      "opta.v4.dedupe",
      "A hook that user and project both have runs once.",
      load("what two files both have runs once, as the stronger one says it"),
    ],
    [
      "opta.v4.status",
      "`statusMessage` is shown while a hook runs.",
      json("is shown while the hook runs, and a screen that fails changes nothing"),
    ],
  ]),
];
