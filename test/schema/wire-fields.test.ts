import { describe, expect, it } from "vitest";
import { normalise } from "../../engine/normalise.ts";
import { fromHost, trustedFields } from "../../schema/wire-fields.ts";

const frame = {
  id: "e1",
  host: "pi",
  environment: { cwd: "/home/dev/app", files: { "/home/dev/app/a": { text: "x" } } },
  session: { id: "s1" },
  labels: ["reviewed"],
};
const call = { tool: "bash", call_id: "c1", args: { command: "ls" } };

const judged = (wire: unknown) => {
  const result = normalise(wire);
  if ("code" in result) throw new Error(result.message);
  return result;
};

describe("a host's payload (events page: trusted fields are ignored and recorded)", () => {
  it.each(trustedFields.map((name) => [name]))("`%s` has no effect, and is named", (name) => {
    const forged = { ...call, [name]: { home: "/", files: { "/": { text: "forged" } } } };
    const wire = fromHost("tool_call", forged, frame);
    expect(wire).toEqual({ event: "tool_call", ...call, ...frame, ignored: [name] });
    expect(judged(wire).event.ignored).toEqual([name]);
  });

  it("cannot choose the world, the labels, the session or the approvals by which it is judged", () => {
    const forged = {
      ...call,
      environment: { home: "/forged", interactive: true, files: { "/etc": { directory: true } } },
      labels: ["trusted"],
      session: { id: "other", agent: { id: "root", depth: 0 } },
      definition: { pinned_digest: "a", digest: "a" },
      approval: "allow",
      files: {},
    };
    const { event, files } = judged(fromHost("tool_call", forged, frame));
    expect(event.environment).toMatchObject({ home: "/home/user", interactive: false });
    expect([event.session.id, event.session.labels, event.definition]).toEqual(["s1", ["reviewed"], undefined]);
    expect(files).toEqual(frame.environment.files);
    expect(event.ignored).toEqual(["approval", "definition", "environment", "files", "labels", "session"]);
  });

  it("cannot name another event, id, time or host", () => {
    const forged = { ...call, event: "agent_end", id: "e0", time: "yesterday", host: "other" };
    expect(judged(fromHost("PreToolUse", forged, frame)).event).toMatchObject({
      event: "tool_call",
      id: "e1",
      time: 0,
      host: "pi",
    });
  });

  it("unknown fields are ignored, whatever they hold", () => {
    const odd = { ...call, signal: new AbortController().signal, reason: 7, later: () => 1, __proto__: null };
    expect(judged(fromHost("tool_call", odd, frame)).event.args).toEqual({ command: "ls" });
    expect(
      judged(fromHost("tool_call", JSON.parse('{"tool":"x","__proto__":{"tool":"y"}}'), frame)).event.tool?.name,
    ).toBe("x");
  });

  it("a getter is not run, and the event is refused", () => {
    let ran = false;
    const getter = Object.defineProperty({ tool: "bash" }, "args", {
      enumerable: true,
      get: () => {
        ran = true;
        return {};
      },
    });
    expect(normalise(fromHost("tool_call", getter, frame))).toMatchObject({ code: "HW504", event: "tool_call" });
    expect(ran).toBe(false);
  });

  it("a proxy that cannot be listed is refused, and nothing is thrown", () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const refused = normalise(fromHost("before_agent_start", hostile, frame));
    expect(refused).toMatchObject({ code: "HW504", event: "before_agent_start", id: "e1" });
  });

  it("an event that nobody knows is refused", () => {
    expect(normalise(fromHost("no_such_event", {}, frame))).toMatchObject({ code: "HW501" });
  });
});
