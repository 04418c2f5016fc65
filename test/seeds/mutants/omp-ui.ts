import { type Mutant, mutantsOf } from "./mutant.ts";

/** Mutants of the UI, the status line, commands and errors of hook modules, for the rows of the omp seeds. */
export const ompUiMutants: readonly Mutant[] = [
  ...mutantsOf("adapters/hooks/ui.ts", [
    ["omp-ui-dialogs", "ui.select(...all)", "noUI.select(...all)"],
    ["author-ui-methods", "ui.input(...all)", "ui.input(all[0])"],
    ["omp-ui-notices", "ui.notify(...all)", "noUI.notify(...all)"],
    ["omp-ui-custom", "ui.custom<T>(factory, options)", "noUI.custom<T>(factory, options)"],
    ["omp-ui-editor-text", "ui.getEditorText()", "noUI.getEditorText()"],
    // The theme of the first screen is kept.
    [
      ["omp-ui-theme", "author-ui-theme"],
      "return ui.theme;",
      "return ((frontOf as { first?: HookTheme }).first ??= ui.theme);",
    ],
    ["author-ui-editor", "ui.editor(...all)", "ui.editor(all[0], all[1])"],
    ["author-ui-prompt-style", "ui.editor(...all)", "ui.editor(all[0], all[1], all[2])"],
    ["omp-ui-none-dialogs", "input: async () => undefined", 'input: async () => ""'],
    ["omp-ui-none-confirm", "confirm: async () => false", "confirm: async () => true"],
    ["omp-ui-none-notices", "setStatus: () => {}", "setStatus: (_key, text) => console.error(text)"],
    ["omp-ui-none-editor-text", 'getEditorText: () => ""', 'getEditorText: () => "draft"'],
  ]),
  ...mutantsOf("adapters/hooks/context.ts", [
    [["omp-ui-has", "author-ui-headless"], "&& (ports.hasUI ?? true)", ""],
    [["omp-example-block", "author-example-guard"], "ports.ui === undefined ? noUI : frontOf(ports.ui)", "noUI"],
    ["omp-example-command", "ports.waitForIdle?.() ?? Promise.resolve()", "Promise.resolve()"],
  ]),
  ...mutantsOf("adapters/hooks/status-line.ts", [
    ["omp-status-key", "this.#texts.set(key, text)", "this.#texts.set(text, text)"],
    [["omp-status-sorted", "author-ui-status"], "this.#texts.keys()].sort()", "this.#texts.keys()]"],
    ["omp-status-clean", '.replace(/ +/g, " ")', ""],
    ["omp-status-width", "return truncateToWidth(line, width)", "return line"],
  ]),
  ...mutantsOf("adapters/hooks/runner.ts", [
    ["omp-conflict-command", "this.#hooks.find(", "this.#hooks.findLast("],
    [
      "omp-conflict-renderer",
      "hook.messageRenderers.get(customType)",
      "this.#hooks.findLast((each) => each.messageRenderers.has(customType))?.messageRenderers.get(customType)",
    ],
    [
      "omp-commands-all",
      "[...hook.commands.values()]",
      "[...hook.commands.values()].filter((command) => command === this.getCommand(command.name))",
    ],
    ["omp-error-event", "listener(heard);", "void heard;"],
  ]),
];
