import fc from "fast-check";

/** One turn of a host: the whole conversation of a session, in a list of its own. */
export interface Turn<Message> {
  readonly session: string;
  readonly messages: readonly Message[];
}

/** Turns of a few sessions: each conversation grows, and now and then something in it is changed, left out or put in. */
export function conversations<Message>(
  message: fc.Arbitrary<Message>,
  sessions: readonly string[],
  maxLength: number,
): fc.Arbitrary<readonly Turn<Message>[]> {
  const step = fc.record({
    session: fc.constantFrom(...sessions),
    added: fc.array(message, { maxLength: 3 }),
    at: fc.nat(8),
    change: fc.constantFrom("none", "none", "change", "remove", "insert"),
    other: message,
  });
  return fc.array(step, { maxLength }).map((steps) => {
    const open = new Map<string, Message[]>();
    return steps.map(({ session, added, at, change, other }) => {
      const messages = [...(open.get(session) ?? []), ...added];
      if (change === "change" && messages.length > 0) messages[at % messages.length] = other;
      if (change === "remove") messages.splice(at, 1);
      if (change === "insert") messages.splice(at, 0, other);
      open.set(session, messages);
      return { session, messages };
    });
  });
}
