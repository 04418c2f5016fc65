import {
  agentEvents,
  faults,
  loader,
  policy,
  profile,
  type Requirement,
  requirements,
  run,
  sessionEvents,
  surface,
  toolCall,
  toolResult,
  ui,
} from "./requirement.ts";

const seed = "omp-hooks";

/** Modules, loading, order, UI and errors of the HookAPI. */
export const ompLoadingRequirements: readonly Requirement[] = [
  ...requirements(seed, "Current status", [
    [
      "omp-api-usable",
      "the hook package can be used by itself",
      surface("exports the loading APIs, runner, wrapper, execCommand and isToolCallEventType"),
      profile("toolResult.chain"),
    ],
    [
      "omp-extension-runner",
      "a hook module also runs by the rules of the extension runner",
      profile("extensionEvents.known"),
      profile("toolResult.chain"),
      profile("failedTool.replaced"),
    ],
    [
      "omp-one-wrapper",
      "tools are wrapped for both kinds of modules",
      profile("input.written"),
      policy("what is judged is what runs, although a handler keeps the arguments and writes to them later"),
    ],
  ]),
  ...requirements(seed, "What a hook module is", [
    [
      "omp-module-default",
      "a module's default export is a factory",
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
      loader("errors are collected with their path and loading goes on (omp-hooks, Load-time)"),
    ],
    [
      "omp-module-on",
      "the factory registers handlers",
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
      toolCall("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)"),
    ],
    [
      "omp-module-send",
      "it may send custom messages that the session keeps",
      ui("sendMessage and appendEntry reach the host after initialize, and say so before"),
    ],
    [
      "omp-module-append",
      "it may keep data that the model never sees",
      ui("sendMessage and appendEntry reach the host after initialize, and say so before"),
    ],
    [
      "omp-module-command",
      "it may register slash commands",
      ui("getCommand answers the first match across modules; getRegisteredCommands all, without dedupe"),
    ],
    [
      "omp-module-renderer",
      "it may register renderers of custom messages",
      ui("getMessageRenderer answers the first match"),
    ],
    [
      "omp-module-exec",
      "it may run programs",
      ui("exec runs through the host where it offers that, and by itself otherwise"),
      run("gives stdout, stderr, code and killed"),
    ],
  ]),
  ...requirements(seed, "Discovery and loading", [
    [
      "omp-load-discovered-first",
      "discovered hooks come first",
      loader("configured paths come after discovered ones, deduped by absolute path"),
    ],
    [
      "omp-load-configured",
      "configured paths follow, deduped by absolute path",
      loader("configured paths come after discovered ones, deduped by absolute path"),
      loader("a path that was loaded already is left out, by its absolute form"),
    ],
    [
      "omp-load-import",
      "each path is imported and must have a function as default export",
      loader("errors are collected with their path and loading goes on (omp-hooks, Load-time)"),
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
    ],
    ["omp-path-absolute", "an absolute path stays", loader("an absolute path is used as it is")],
    [
      "omp-path-home",
      "`~` is the user's folder",
      loader("~ is expanded"),
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
    ],
    [
      "omp-path-relative",
      "a relative path is resolved in the working folder",
      loader("a relative path is resolved against cwd"),
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
    ],
    [
      "omp-legacy-providers",
      "the providers look for files in `hooks/pre` and `hooks/post`",
      loader("finds .omp and .claude, pre and post, in the project and the home; omp first, the project first"),
    ],
    [
      "omp-legacy-reported",
      "a discovered file that cannot be imported is an entry of `errors`",
      loader("a shell-style hook file is reported as an error (omp-hooks, Important legacy mismatch)"),
      loader("discovered shell-style files are reported and the rest loads (omp-hooks, Important legacy mismatch)"),
    ],
  ]),
  ...requirements(seed, "Discovery-level ordering", [
    [
      "omp-order-priority",
      "providers are sorted by priority, higher first",
      loader("providers are sorted by priority, higher first, whatever their order"),
    ],
    [
      "omp-order-key",
      "hooks are one by type, tool and name; the first wins",
      loader("of one key `type:tool:name` the first wins and the others are marked"),
    ],
    [
      "omp-order-shadowed",
      "the others are marked and not loaded",
      loader("of one key `type:tool:name` the first wins and the others are marked"),
    ],
  ]),
  ...requirements(seed, "Load order", [
    [
      "omp-order-flat",
      "all paths form one list without duplicates, loaded in its order",
      loader("a path that was loaded already is left out, by its absolute form"),
      loader("loads .js, .mjs and .cjs by absolute, home and relative path, in the order given"),
    ],
    [
      "omp-order-files",
      "order of files in a folder: byte order here, whatever `readdir` gives in the seed (recorded deviation)",
      loader("files of a folder come in byte order (issue of step 4, part 8: a deviation from readdir order)"),
    ],
  ]),
  ...requirements(seed, "Runtime handler order", [
    [
      "omp-order-hooks",
      "handlers run by the order of modules, then of registration",
      toolCall("handlers run in hooks array order, then registration order (omp-hooks, Runtime handler order)"),
      profile("tool_call.order"),
    ],
    [
      "omp-conflict-tool-call",
      "`tool_call`: the last answer holds unless one blocks; the first block stops",
      toolCall("the last non-blocking return wins (omp-authoring-hooks, Pre-tool blocking contract)"),
      toolCall("the first block short-circuits: no handler runs after it (omp-hooks, Ordering and conflict behavior)"),
      profile("tool_call.last"),
    ],
    [
      "omp-conflict-tool-result",
      "`tool_result`: the last override holds and nothing stops",
      profile("toolResult.fields"),
      toolResult("no short-circuit: every handler runs (omp-hooks, Runtime handler order)"),
      profile("tool_result.no-stop"),
    ],
    [
      "omp-conflict-context",
      "`context`: chained",
      agentEvents(
        "each handler receives the output of the previous one (omp-authoring-hooks, Context modification contract)",
      ),
      profile("context.chain"),
    ],
    [
      "omp-conflict-start",
      "`before_agent_start`: the first message is kept, later ones are ignored",
      profile("startMessages.both"),
    ],
    [
      "omp-conflict-before",
      "`session_before_*`: the latest answer is kept, and a cancel stops at once",
      sessionEvents("session_before_*: the latest result is kept (omp-hooks, Runtime handler order)"),
      sessionEvents("cancel: true short-circuits %s immediately (omp-hooks, Runtime handler order)"),
      profile("session_before.last"),
      profile("session_before.cancel-stops"),
    ],
    [
      "omp-conflict-compacting",
      "`session.compacting`: the latest answer holds",
      sessionEvents("session.compacting: the latest returned result wins (omp-hooks, Runtime handler order)"),
      profile("session_compacting.last"),
    ],
    [
      "omp-conflict-command",
      "a command is that of the first module that has it",
      ui("getCommand answers the first match across modules; getRegisteredCommands all, without dedupe"),
      profile("command.first"),
    ],
    [
      "omp-conflict-renderer",
      "so is a renderer",
      ui("getMessageRenderer answers the first match"),
      profile("renderer.first"),
    ],
    [
      "omp-commands-all",
      "the list of commands has all of them, without dedupe",
      ui("getCommand answers the first match across modules; getRegisteredCommands all, without dedupe"),
      profile("command.first"),
    ],
  ]),
  ...requirements(seed, "UI interactions", [
    [
      "omp-ui-dialogs",
      "there are `select`, `confirm`, `input` and `editor`",
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    [
      "omp-ui-notices",
      "there are `notify` and `setStatus`",
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    [
      "omp-ui-custom",
      "there is `custom`",
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    [
      "omp-ui-editor-text",
      "there are `setEditorText` and `getEditorText`",
      ui("%s reaches the host with its arguments and answers what the host answers"),
    ],
    ["omp-ui-theme", "`theme` is read when it is asked for", ui("theme is the host's theme as it is now")],
    [
      "omp-ui-has",
      "`hasUI` says whether a human can be asked",
      ui("hasUI is false in print and sub-agent mode, although a UI stands behind it"),
      ui("passes every argument on: prefill, signal and promptStyle (omp-authoring-hooks, UI methods)"),
    ],
    [
      "omp-ui-none-dialogs",
      "without a screen `select`, `input` and `editor` answer undefined",
      ui("select, input, editor and custom answer undefined; confirm answers false"),
    ],
    [
      "omp-ui-none-confirm",
      "without a screen `confirm` answers false",
      ui("select, input, editor and custom answer undefined; confirm answers false"),
    ],
    [
      "omp-ui-none-notices",
      "without a screen `notify`, `setStatus` and `setEditorText` do nothing",
      ui("notify, setStatus and setEditorText do nothing; getEditorText answers an empty text"),
    ],
    [
      "omp-ui-none-editor-text",
      "without a screen `getEditorText` is empty",
      ui("notify, setStatus and setEditorText do nothing; getEditorText answers an empty text"),
    ],
  ]),
  ...requirements(seed, "Status line behavior", [
    [
      "omp-status-key",
      "a status text is kept per key",
      ui("is stored per key, sorted by key, joined; undefined removes a key"),
    ],
    [
      "omp-status-sorted",
      "the texts are sorted by key",
      ui("is stored per key, sorted by key, joined; undefined removes a key"),
      ui("setStatus of several modules makes one line: sorted by key, sanitised, joined, truncated"),
    ],
    [
      "omp-status-clean",
      "line ends and tabs become blanks, runs of blanks one",
      ui("line ends and tabs become blanks"),
      ui("repeated blanks collapse"),
      ui("setStatus of several modules makes one line: sorted by key, sanitised, joined, truncated"),
    ],
    [
      "omp-status-width",
      "they are joined and cut to the width of the screen",
      ui("what does not is cut, with a mark"),
      ui("wide characters take two columns"),
      ui("setStatus of several modules makes one line: sorted by key, sanitised, joined, truncated"),
    ],
  ]),
  ...requirements(seed, "Error propagation", [
    [
      "omp-error-load",
      "a module that cannot be loaded, or has no default export, is an entry of `errors`",
      loader("errors are collected with their path and loading goes on (omp-hooks, Load-time)"),
    ],
    [
      "omp-error-load-goes-on",
      "the other modules are loaded",
      loader("errors are collected with their path and loading goes on (omp-hooks, Load-time)"),
    ],
    [
      "omp-error-event",
      "a handler's throw reaches listeners as module, event and error, and the chain goes on",
      sessionEvents("a throw is reported and the chain goes on, in every event of the profile (omp-hooks, Event-time)"),
      faults("%s, %s: a handler that %s is reported to listeners and audit, and the chain goes on"),
      profile("observe.throw"),
    ],
    [
      "omp-error-tool-call",
      "a throw in `tool_call` reaches the caller",
      toolCall("a handler's error propagates from emitToolCall (omp-hooks, Error propagation, Event-time)"),
    ],
    [
      "omp-error-tool-call-blocks",
      "so the wrapper blocks the call",
      toolCall("a handler that throws blocks the tool (omp-authoring-hooks, Pre-tool blocking contract)"),
      profile("tool_call.throw"),
    ],
  ]),
  ...requirements(seed, "Export surface", [
    [
      "omp-export-loading",
      "the loading functions are exported",
      surface("exports the loading APIs, runner, wrapper, execCommand and isToolCallEventType"),
    ],
    [
      "omp-export-runner",
      "runner and wrapper are exported",
      surface("exports the loading APIs, runner, wrapper, execCommand and isToolCallEventType"),
    ],
    [
      "omp-export-types",
      "all types of hooks are exported",
      surface("every event of the types is one the event table knows"),
      surface("a handler that is typed for one event cannot be given to another"),
    ],
    [
      "omp-export-exec",
      "`execCommand` is exported",
      surface("exports the loading APIs, runner, wrapper, execCommand and isToolCallEventType"),
      run("gives stdout, stderr, code and killed"),
    ],
  ]),
];
