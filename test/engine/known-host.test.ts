import { describe, expect, it } from "vitest";
import { bash, engineFor } from "./actions/engine.ts";

/** A call whose host is known and whose path is not. */
const call = 'curl "https://ok.test/$x"';

const rule = (unless: string): string =>
  `- { id: r, event: tool_call, each: { n: effects.network }, unless: ${unless}, action: block, reason: no }`;
const outcome = (unless: string, command = call): string =>
  engineFor(rule(unless)).decide(bash(command)).decision.outcome;

describe("a waiver for traffic of which the host alone is certain", () => {
  it.each([
    `"n.url.host == 'ok.test'"`,
    `{ n.url.host: { host_in: [ok.test] } }`,
    `{ n.url: { host_in: [ok.test] } }`,
    `{ any: [{ n.url: { is: [loopback, private] } }, { n.url.host: { host_in: [ok.test] } }] }`,
    `"n.url.scheme == 'https' && n.url.host == 'ok.test' && n.direction == 'download'"`,
    `"tool.name == 'bash' && n.url.host == 'ok.test'"`,
  ])("holds where it asks for the host: %s", (unless) => expect(outcome(unless)).toBe("allow"));

  it.each([`"n.url.host == 'other.test'"`, `{ n.url: { is: private } }`, `"!has(n.url.path)"`, `"n.certain"`])(
    "does not hold where it surely fails: %s",
    (unless) => expect(outcome(unless)).toBe("block"),
  );

  it.each([
    `"n.url.path == '/'"`,
    `"n.url.?query.orValue('') == ''"`,
    `"n.url != 'https://ok.test/upload'"`,
    `"n.url != url('https://ok.test/upload')"`,
    `"!n.url.embedded.exists(u, u.host == 'evil.test')"`,
    `"n.url.host == 'ok.test' && n.url.path != '/upload'"`,
  ])("asks where it may hold, by what is not known: %s", (unless) => expect(outcome(unless)).toBe("ask"));

  it.each([`"string(n.url) != ''"`, `"has(n.command)"`, `"tool.name == 'bash'"`, `"true"`])(
    "holds where every value of what is not known passes: %s",
    (unless) => expect(outcome(unless)).toBe("allow"),
  );

  it.each([
    ["n.url.host == 'ok.test'", "allow"],
    ["n.url.host == 'ok.test' && n.url.path != '/upload'", "ask"],
  ])("a named condition is what it says: %s", (condition, expected) => {
    const text = `version: 1
policy: p
conditions: { inner: "${condition}", known: { all: [$inner] } }
rules: [{ id: r, event: tool_call, each: { n: effects.network }, unless: $known, action: block, reason: no }]`;
    expect(engineFor(text).decide(bash(call)).decision.outcome).toBe(expected);
    expect(engineFor(text).decide(bash("curl https://ok.test/a")).decision.outcome).toBe("allow");
  });

  it.each(['curl "https://ok.test$x"', 'curl "https://$x/ok.test/"', 'curl "$x"', 'curl "https://ok.test\\\\$x/a"'])(
    "asks for a host that is not certain: %s",
    (command) => expect(outcome(`{ n.url.host: { host_in: [ok.test] } }`, command)).toBe("ask"),
  );

  it.each(["curl https://ok.test/$x", 'curl "https://ok.test/$@"', "curl $x"])(
    "does not hold for words of which there may be several: %s",
    (command) => expect(outcome(`{ n.url.host: { host_in: [ok.test] } }`, command)).toBe("block"),
  );

  it("a question inside a loop over other things is a question too", () => {
    const unless = `"['ok.test', 'a.test'].exists(h, n.url.host == h)"`;
    expect(outcome(unless)).toBe("allow");
  });
});
