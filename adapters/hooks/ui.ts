/** Colours of the host's screen; the no-op theme returns its text as it is. */
export interface HookTheme {
  fg(color: string, text: string): string;
  bg(color: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
}

/** Options of a dialog. */
export interface DialogOptions {
  signal?: AbortSignal;
  /** Milliseconds after which the host closes the dialog by itself, as if it was refused. */
  timeout?: number;
}

/** `promptStyle`: Enter submits and Shift+Enter starts a line; else Enter starts a line and Ctrl+Enter submits. */
export interface EditorOptions {
  promptStyle?: boolean;
}

/** The host's UI for hook modules: dialogs, notices, status and editor. Source: seed omp-authoring-hooks, "UI methods in hook context". */
export interface HookUIContext {
  select(title: string, options: string[], dialog?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, dialog?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, dialog?: DialogOptions): Promise<string | undefined>;
  editor(title: string, prefill?: string, dialog?: DialogOptions, options?: EditorOptions): Promise<string | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
  /** Sets or, with undefined, removes the status text of a key. */
  setStatus(key: string, text: string | undefined): void;
  custom<T = unknown>(factory: (...host: unknown[]) => unknown, options?: unknown): Promise<T | undefined>;
  setEditorText(text: string): void;
  getEditorText(): string;
  readonly theme: HookTheme;
}

/** A theme that colours nothing. */
export const plainTheme: HookTheme = Object.freeze({
  fg: (_color: string, text: string) => text,
  bg: (_color: string, text: string) => text,
  bold: (text: string) => text,
  italic: (text: string) => text,
  underline: (text: string) => text,
});

/** The UI without a screen: dialogs return undefined, `confirm` returns false. Source: seed omp-hooks, "UI interactions". */
export const noUI: HookUIContext = Object.freeze({
  select: async () => undefined,
  confirm: async () => false,
  input: async () => undefined,
  editor: async () => undefined,
  notify: () => {},
  setStatus: () => {},
  custom: async () => undefined,
  setEditorText: () => {},
  getEditorText: () => "",
  theme: plainTheme,
});

/**
 * Wraps the host's UI in a frozen object for handlers, so that no module can replace the `confirm`
 * that other modules call.
 */
export function frontOf(ui: HookUIContext): HookUIContext {
  return Object.freeze({
    select: (...all: Parameters<HookUIContext["select"]>) => ui.select(...all),
    confirm: (...all: Parameters<HookUIContext["confirm"]>) => ui.confirm(...all),
    input: (...all: Parameters<HookUIContext["input"]>) => ui.input(...all),
    editor: (...all: Parameters<HookUIContext["editor"]>) => ui.editor(...all),
    notify: (...all: Parameters<HookUIContext["notify"]>) => ui.notify(...all),
    setStatus: (key: string, text: string | undefined) => ui.setStatus(key, text),
    custom: <T>(factory: (...host: unknown[]) => unknown, options?: unknown) => ui.custom<T>(factory, options),
    setEditorText: (text: string) => ui.setEditorText(text),
    getEditorText: () => ui.getEditorText(),
    get theme() {
      return ui.theme;
    },
  });
}
