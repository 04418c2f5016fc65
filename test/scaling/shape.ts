import type { WireEvent } from "../../schema/generated.ts";

/** A kind of input that can be made of any size, to see how the work that it causes grows. */
export interface Shape {
  readonly name: string;
  /** An event of the shape, of about so many UTF-16 units of JSON. */
  event(units: number): WireEvent;
}

/** What every event of a test has around its payload. */
export function framed(payload: WireEvent): WireEvent {
  return {
    id: "scaling",
    time: "2026-01-01T00:00:00Z",
    environment: { cwd: "/home/dev/project", home: "/home/dev", user: "dev", platform: "linux", interactive: true },
    session: { id: "scaling" },
    ...payload,
  };
}

/** What a tool gave back. */
export function resultOf(content: unknown, details?: unknown): WireEvent {
  return framed({
    event: "tool_result",
    tool: "read",
    args: { path: "file.txt" },
    result: { content, is_error: false, ...(details !== undefined && { details }) },
  } as unknown as WireEvent);
}

/** What a tool gave back, as one text. */
export function textResult(text: string): WireEvent {
  return resultOf([{ type: "text", text }]);
}

/** A call of a tool. */
export function callOf(tool: string, args: unknown, more: object = {}): WireEvent {
  return framed({ event: "tool_call", tool, args, ...more } as unknown as WireEvent);
}

/** Pieces one after the other until there are so many units of them. */
export function repeated(units: number, piece: (n: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let n = 0; length < units; n++) {
    const part = piece(n);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

/** So many values as fit into so many units of JSON, at about `each` units. */
export function listed<T>(units: number, each: number, value: (n: number) => T): T[] {
  return Array.from({ length: Math.max(1, Math.floor(units / each)) }, (_, n) => value(n));
}
