import type { EventEnvironment } from "../../schema/generated.ts";
import type { Fields } from "./record-lines.ts";
import type { Place, Step } from "./step.ts";

/** Options of a reader of transcripts, about the machine that wrote them. */
export interface TranscriptOptions {
  /** Home folder of the user; transcripts do not name it, and without it `~` is `/home/user`. */
  readonly home?: string;
}

/** Reads one host's transcript and returns the steps of each line. It keeps data for later lines, so one reader reads one file. */
export interface TranscriptReader {
  read(entry: Fields, place: Place): readonly Step[];
}

/** Maximum number of calls without a result whose arguments are kept; the result of an older call is judged without them. */
const openCalls = 10_000;

/** The calls of a transcript that wait for their results, oldest first. */
export class OpenCalls {
  readonly #calls = new Map<string, { readonly tool: string; readonly args: Fields }>();

  put(id: string, tool: string, args: Fields): void {
    this.#calls.delete(id);
    this.#calls.set(id, { tool, args });
    if (this.#calls.size > openCalls) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  take(id: string): { readonly tool: string; readonly args: Fields } | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}

/** Returns the environment that a transcript describes. Nothing is read from this machine. */
export function environmentOf(
  cwd: string | undefined,
  branch: string | undefined,
  { home }: TranscriptOptions,
): EventEnvironment {
  return {
    ...(cwd !== undefined && cwd !== "" && { cwd, workspace: cwd }),
    ...(cwd !== undefined && /^[A-Za-z]:[\\/]/.test(cwd) && { os: "windows" as const }),
    ...(branch !== undefined && branch !== "" && { branch }),
    ...(home !== undefined && { home }),
  };
}

/** Returns a time in wire form: RFC 3339, or nothing if the host wrote something else. */
export function timeOf(value: string | undefined): { readonly time?: string } {
  const at = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isFinite(at) ? { time: new Date(at).toISOString() } : {};
}

/** Returns the joined text of a message's content: a text, or the text parts of a list. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts
    .flatMap((part) => {
      const text = (part as { text?: unknown } | null)?.text;
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}
