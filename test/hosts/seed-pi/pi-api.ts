/** A message of the conversation, with the fields that scenarios read. */
export interface Message {
  readonly role: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

/** An event as pi gives it to a handler. */
export interface HostEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The part of the context of a handler that scenarios use. */
export interface Context {
  readonly sessionManager?: {
    getBranch(): { readonly type: string; readonly id: string; readonly [field: string]: unknown }[];
    getSessionFile(): string | undefined;
  };
  readonly ui?: { getAllThemes?(): readonly { readonly name: string }[] };
  isIdle?(): boolean;
  shutdown?(): void;
  reload?(): Promise<void>;
  navigateTree?(id: string, options?: object): Promise<unknown>;
}

/** The part of pi's API that scenarios use. */
export interface Host {
  on(event: string, handler: (event: HostEvent, ctx: Context) => unknown): unknown;
  registerCommand?(
    name: string,
    command: { description: string; handler(args: string, ctx: Context): Promise<void> },
  ): void;
  registerTool?(tool: object): void;
  /** pi 0.73 answers nothing, later versions a promise. */
  sendUserMessage(content: string, options?: object): void;
  sendMessage(message: object, options?: object): void;
  setActiveTools(names: readonly string[]): void;
  appendEntry(type: string, data: unknown): void;
}

/** What a scenario has in hand when it answers an event. */
export interface Hands {
  readonly pi: Host;
  readonly ctx: Context;
  /** Writes something down in the log. */
  note(seen: unknown): void;
  /** The folder of the run. */
  readonly folder: string;
}

/** What one extension answers, by event. `command` is what `/seed-<extension>` does. */
export type Answers = Readonly<Record<string, (event: HostEvent, hands: Hands) => unknown>>;
