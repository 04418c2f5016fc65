import { describe, expect, it } from "vitest";
import { LastConversations, lines } from "../../../adapters/judge-process/messages.ts";

describe("a conversation that goes to another process", () => {
  const messages = Array.from({ length: 6 }, (_, n) => ({ n }));
  const both = () => {
    const [here, there] = [new LastConversations(), new LastConversations()];
    const send = (session: string, list: readonly unknown[]) => {
      const grown = here.grown(session, list);
      const sent = JSON.parse(JSON.stringify(grown)) as typeof grown;
      return { fresh: sent.fresh.length, list: there.whole(session, sent, (message) => message) };
    };
    return { send };
  };

  it("goes whole at first, and then only as far as it is new", () => {
    const { send } = both();
    expect(send("s", messages.slice(0, 3))).toEqual({ fresh: 3, list: messages.slice(0, 3) });
    expect(send("s", messages.slice(0, 5))).toEqual({ fresh: 2, list: messages.slice(0, 5) });
    expect(send("s", messages.slice(0, 5))).toEqual({ fresh: 0, list: messages.slice(0, 5) });
  });

  it("goes anew from the first message that is another value, also one that looks the same", () => {
    const { send } = both();
    send("s", messages);
    const changed = messages.with(2, { n: 2 });
    expect(send("s", changed)).toEqual({ fresh: 4, list: changed });
    expect(send("s", [])).toEqual({ fresh: 0, list: [] });
  });

  it("is one for each session, and both ends forget the same", () => {
    const { send } = both();
    const sessions = ["a", "b", "c", "d", "e"];
    for (const session of sessions) send(session, messages);
    expect(send("e", messages).fresh).toBe(0);
    expect(send("a", messages)).toEqual({ fresh: 6, list: messages });
    for (const session of [...sessions, ...sessions.toReversed()])
      expect(send(session, messages).list).toEqual(messages);
  });

  it("that goes on from one which is not known is a fault", () => {
    expect(() => new LastConversations().whole("s", { kept: 1, fresh: [] }, (one) => one)).toThrow("not known");
  });
});

describe("lines of a stream", () => {
  const read = (pieces: readonly string[]): string[] => {
    const heard: string[] = [];
    const take = lines((line) => void heard.push(line));
    for (const piece of pieces) take(piece);
    return heard;
  };

  it.each([
    ["one in a piece", ["a\n"], ["a"]],
    ["several in a piece", ["a\nb\n\nc\n"], ["a", "b", "", "c"]],
    ["one in several pieces", ["a", "b", "", "c\n"], ["abc"]],
    ["the end of one and the beginning of the next", ["a\nb", "c\nd"], ["a", "bc"]],
    ["an end of a line by itself", ["a", "\n", "b\n"], ["a", "b"]],
  ])("are told apart: %s", (_name, pieces, expected) => {
    expect(read(pieces)).toEqual(expected);
  });
});
