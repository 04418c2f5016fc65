import { interrupts, type Requirement, requirements, testOf } from "./requirement.ts";

const compiled = testOf("test/adapters/opta/compiled.test.ts");
const examples = testOf("test/adapters/opta/examples.test.ts");
const guard = testOf("test/adapters/opta/guard.test.ts");
const load = testOf("test/adapters/opta/load.test.ts");
const loop = testOf("test/adapters/opta/agent-loop.test.ts");
const manager = testOf("test/adapters/opta/manager.test.ts");
const agent = testOf("test/adapters/opta/example-agent.test.ts");
const pipes = testOf("test/adapters/held-pipes.heavy.test.ts");
const verbatim = testOf("test/seeds/opta/verbatim.test.ts");
const task = testOf("test/seeds/opta/manager.test.ts");
const schema = testOf("test/seeds/opta/schema.test.ts");
const prompts = testOf("test/adapters/opta/prompt-hook.test.ts");
const seed = "opta-hook-system";

/** Sentences of the seed opta-hook-system, sections 1 to 5. */
export const optaHookRequirements: readonly Requirement[] = [
  ...requirements(seed, "1. Architecture", [
    [
      "opta.points",
      "Users run shell commands at points of the agent's loop.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.files",
      "Hooks stand in `.opta/config.json` of the project or `~/.config/opta/config.json` of the user.",
      load("the user's hooks come first, the project's next, those of plugins last"),
    ],
    [
      "opta.zero-cost",
      "Without hooks one shared manager does nothing.",
      manager("gives one shared manager that does nothing"),
      load("without a file there is the shared manager that does nothing"),
    ],
    [
      "opta.flow.start",
      "The start of a session fires `session.start`.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.flow.pre",
      "Each tool call of the model fires `tool.pre` with tool and arguments before it runs.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.flow.skip",
      "A non-zero exit skips the tool, and standard error goes to the model.",
      loop("skips a cancelled tool, hands standard error to the model and goes on"),
    ],
    [
      "opta.flow.post",
      "After the tool `tool.post` fires with tool, arguments and result.",
      loop("fires at the start, round each tool, after compaction and at the end"),
      loop("fires after a tool that failed"),
    ],
    [
      "opta.flow.compact",
      "Compaction fires `compact`.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.flow.end",
      "The end of the loop fires `session.end`.",
      agent("fires at each of its places, and ends right after the last"),
      loop("fires at the start, round each tool, after compaction and at the end"),
      interrupts(
        "Ctrl+C while a hook of %s runs ends the hook, fires session.end once, then ends the process by that signal",
      ),
    ],
    ["opta.flow.error", "An error fires `error` with its message.", loop("fires on an error with its message")],
    [
      "opta.core",
      "The core is `HookManager` with `fire(event, context)` and a static `create(definitions?)`.",
      task("returns non-cancelled when no hooks configured"),
      task("non-zero exit on tool.pre cancels with stderr reason"),
    ],
    [
      "opta.factory",
      "The factory returns the shared `NoOpHookManager` when nothing is configured.",
      manager("gives one shared manager that does nothing"),
    ],
  ]),
  ...requirements(seed, "2. New files", [
    [
      "opta.events",
      "The events are `session.start`, `session.end`, `tool.pre`, `tool.post`, `compact` and `error`.",
      loop("fires at the start, round each tool, after compaction and at the end"),
      task("rejects invalid event name"),
    ],
    [
      "opta.matcher.scope",
      "A matcher is looked at before and after tools only.",
      manager("hooks of other events run whatever their matcher"),
    ],
    [
      "opta.timeout.default",
      "The time-out is in milliseconds, 10,000 by default.",
      prompts("have 10 seconds when they do not say"),
      load("lists hooks, shows one whole, and turns it off and on for the session"),
    ],
    [
      "opta.background.default",
      "A hook is waited for unless it says `background`.",
      task("background hooks do not block"),
      manager("the first that cancels ends it; hooks run in their order"),
    ],
    [
      "opta.context",
      "The context has event, session, folder, tool, arguments, result, error and model.",
      manager("tool.post has the result too"),
      manager("error has the message"),
    ],
    [
      "opta.result",
      "The result says whether it is cancelled, and why: standard error of the hook.",
      manager("standard error is the reason"),
    ],
    [
      "opta.compile-once",
      "Matchers are compiled once, when the manager is made; one that is none is refused there.",
      compiled("are compiled when the manager is made, and not again at an event"),
      manager("%s is refused at load"),
      manager("a pattern that is none"),
    ],
    [
      "opta.filter",
      "`fire` takes the hooks of the event whose matcher fits, builds their variables and runs them.",
      task("skips hooks for non-matching events"),
      compiled("run at their own event alone: %s"),
      task("matcher regex filters by tool name"),
    ],
    [
      "opta.cancel",
      "Only `tool.pre` is cancelled by a non-zero exit, with standard error as reason.",
      manager("standard error is the reason"),
      pipes("means with exit code %d by the protocol %s what it means without one"),
      manager("after a tool nothing is cancelled"),
      manager("nor at the start"),
      manager("nor on an error"),
    ],
    [
      "opta.background.errors",
      "What goes wrong in a background hook is nobody's concern.",
      manager("run to their end, and cancel nothing"),
      manager("that are prompts and cannot be recorded are nobody's concern"),
    ],
    [
      "opta.shell",
      "A hook is run by `sh -c` with time-out and variables.",
      task("fires hook and passes env vars"),
      manager("end the whole tree, and the call goes on"),
    ],
    [
      "opta.noop.class",
      "`NoOpHookManager` is a `HookManager` whose `fire` returns one constant.",
      manager("gives one shared manager that does nothing"),
    ],
  ]),
  ...requirements(seed, "3. Modified files", [
    [
      "opta.schema.event",
      "The schema takes the known events alone.",
      task("rejects invalid event name"),
      schema("and the one that is shipped agree about every hook of these values"),
      schema("is of V3, and differs as recorded about %s"),
    ],
    [
      "opta.schema.command",
      "A command is text and has to be there.",
      load("a hook without a command"),
      load("a command that is no text"),
      schema("and the one that is shipped agree about every hook of these values"),
    ],
    [
      "opta.schema.matcher",
      "A matcher may be given.",
      task("parses hooks from config"),
      task("matcher regex filters by tool name"),
      schema("and the one that is shipped agree about every hook of these values"),
    ],
    [
      "opta.schema.timeout",
      "A time-out may be given, from 100 to 60,000.",
      load("a time-out of 99 ms"),
      load("a time-out of 60,001 ms"),
      load("takes a time-out of %d ms"),
      schema("and the one that is shipped agree about every hook of these values"),
    ],
    [
      "opta.schema.background",
      "`background` may be given, as a truth value.",
      load("a background that is no truth value"),
      schema("and the one that is shipped agree about every hook of these values"),
    ],
    [
      "opta.schema.default",
      "`hooks` is an empty list by default.",
      task("defaults to empty array"),
      schema("and the one that is shipped agree about %s"),
      schema("and the files of a project agree about %s"),
    ],
    [
      "opta.site.start",
      "Before the loop the manager is created from the configuration and `session.start` fired.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.site.pre",
      "Before a tool runs `tool.pre` is fired; when cancelled a message says so and the loop goes on.",
      loop("skips a cancelled tool, hands standard error to the model and goes on"),
      loop("runs the tool without hooks, as a control"),
    ],
    [
      "opta.site.post",
      "After a tool `tool.post` is fired with the result, cut to 2 KB.",
      manager("the result is its first 2 KB: %s"),
      manager("ASCII"),
      manager("three bytes each, none of them cut"),
    ],
    [
      "opta.site.compact",
      "After the history was compacted `compact` is fired.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.site.end",
      "After the loop `session.end` is fired.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.site.error",
      "An error is caught, and `error` fired with its message.",
      loop("fires on an error with its message"),
    ],
  ]),
  ...requirements(seed, "4. Configuration and variables", [
    [
      "opta.example",
      "The example's form is read: event, matcher, command, time-out, background.",
      verbatim("are three hooks and three scripts, and load without a finding"),
      verbatim("session.end commits, though the agent ends right after it"),
      examples("are configured by the example"),
    ],
    ["opta.env.event", "`OPTA_EVENT` is always there.", manager("session.start has the four that are always there")],
    [
      "opta.env.session",
      "`OPTA_SESSION_ID` is always there.",
      manager("session.start has the four that are always there"),
    ],
    ["opta.env.cwd", "`OPTA_CWD` is always there.", manager("session.start has the four that are always there")],
    [
      "opta.env.model",
      "`OPTA_MODEL` is always there.",
      manager("session.start has the four that are always there"),
      manager("a model that is not known is empty"),
    ],
    [
      "opta.env.tool-name",
      "`OPTA_TOOL_NAME` is there before and after tools.",
      manager("tool.pre has tool and arguments"),
    ],
    [
      "opta.env.tool-args",
      "`OPTA_TOOL_ARGS` is there before and after tools, as JSON.",
      manager("tool.pre has tool and arguments"),
      manager("arguments that no program can be started with cancel the call"),
    ],
    [
      "opta.env.tool-result",
      "`OPTA_TOOL_RESULT` is there after a tool: the first 2 KB.",
      manager("tool.post has the result too"),
      manager("the result is its first 2 KB: %s"),
    ],
    ["opta.env.error", "`OPTA_ERROR` is there on an error.", manager("error has the message")],
  ]),
  ...requirements(seed, "5. Parity", [
    [
      "opta.parity.pre",
      "Before a tool: pattern and cancelling by exit code.",
      task("matcher regex filters by tool name"),
      task("non-zero exit on tool.pre cancels with stderr reason"),
    ],
    ["opta.parity.post", "After a tool: the result in a variable.", manager("tool.post has the result too")],
    [
      "opta.parity.session",
      "Start and end of a session.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    [
      "opta.parity.compact",
      "Compaction.",
      loop("fires at the start, round each tool, after compaction and at the end"),
    ],
    ["opta.parity.error", "An event for errors.", loop("fires on an error with its message")],
    [
      "opta.parity.matcher",
      "Patterns are found in the tool's name, not anchored.",
      manager("are found anywhere in the name"),
      manager("are anchored only where they say so"),
    ],
    [
      "opta.parity.timeout",
      "Time-outs protect the loop.",
      task("kills hooks exceeding timeout"),
      manager("end the whole tree, and the call goes on"),
    ],
    [
      "opta.parity.background",
      "Hooks in the background.",
      task("background hooks do not block"),
      verbatim("session.end commits, though the agent ends right after it"),
      manager("end a hook in the background too"),
    ],
    [
      "opta.parity.mcp",
      "Tools of MCP servers are matched by `mcp__server__tool`.",
      task("matches MCP tool names with mcp__.*"),
      guard("knows tools of MCP servers"),
    ],
    ["opta.parity.v3-stdout", "V3 reads nothing that a hook prints.", manager("an answer in JSON means nothing in V3")],
  ]),
];
