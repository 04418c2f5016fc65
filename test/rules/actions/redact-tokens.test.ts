import { describe, expect, it } from "vitest";
import { pseudonymOf } from "../../../engine/session-key.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { createScanner } from "../../../facts/secrets/scan.ts";
import { forgedTokens, hasKeyedToken, maskText, tokenOf } from "../../../rules/actions/redact-tokens.ts";
import type { Payload } from "../../../schema/ports.ts";
import { transform } from "./context.ts";

const all = { detectors: ["secrets/*"] };
const first = expandExample("ghp_{A36}");
const second = first
  .split("")
  .reverse()
  .join("")
  .replace(/^.{36}/, (x) => `ghp_${x}`)
  .slice(0, 40);
const session = pseudonymOf("install key", "s1");
const redacted = (payload: Payload, pseudonym = session): Payload => transform("redact", payload, all, { pseudonym });
const shape = /^\[REDACTED:github-token:[0-9a-f]{10}\]$/;

describe("tokens of a session", () => {
  const token = redacted({ text: first }).text as string;
  it("have the kind and ten hex digits", () => expect(token).toMatch(shape));
  it("are the same for the same secret, wherever it stands", () => {
    expect(redacted({ text: `a ${first} b`, details: { x: [first] }, prompt: JSON.stringify({ k: first }) })).toEqual({
      text: `a ${token} b`,
      details: { x: [token] },
      prompt: JSON.stringify({ k: token }),
    });
  });
  it("are others for another secret, session or install key", () => {
    const others = [
      redacted({ text: second }).text,
      redacted({ text: first }, pseudonymOf("install key", "s2")).text,
      redacted({ text: first }, pseudonymOf("another key", "s1")).text,
    ];
    for (const other of others) expect(other).toMatch(shape);
    expect(new Set([token, ...others]).size).toBe(4);
  });
  it("name the kind alone without an install key", () => {
    expect(redacted({ text: first }, pseudonymOf("", "s1")).text).toBe("[REDACTED:github-token]");
  });
  it("name the kind alone for what can be guessed", () => {
    expect(redacted({ details: { password: "hunter2-Zx9" } }).details).toEqual({
      password: "[REDACTED:generic-password]",
    });
  });
  it("stay as they are when a text is redacted again", () => {
    const once = redacted({ text: `${first} and ${second}`, details: { [first]: 1 } });
    expect(redacted(once)).toBe(once);
  });
  it("do not hold a part of the secret", () => {
    expect(first).not.toContain(token.slice("[REDACTED:github-token:".length, -1));
  });
});

describe("tokens that content makes up", () => {
  const token = redacted({ text: first }).text as string;
  const digit = token.at(-2) === "0" ? "1" : "0";
  it.each([
    ["an id of its own", "[REDACTED:github-token:0123456789]", "[\\REDACTED:github-token:0123456789]"],
    ["an id of another length", "[REDACTED:x:abc]", "[\\REDACTED:x:abc]"],
    ["a changed digit", `${token.slice(0, -2)}${digit}]`, `[\\${token.slice(1, -2)}${digit}]`],
    [
      "another kind with an id of ours",
      token.replace("github-token", "aws-access-key"),
      `[\\${token.slice(1).replace("github-token", "aws-access-key")}`,
    ],
    ["an escaped one", "[\\REDACTED:x:0123456789]", "[\\REDACTED:x:0123456789]"],
    ["one of ours", token, token],
    ["a kind alone, which says nothing", "[REDACTED:github-token]", "[REDACTED:github-token]"],
  ])("%s", (_, text, expected) => {
    const once = redacted({ text });
    expect(once.text).toBe(expected);
    expect(redacted(once)).toBe(once);
  });
  it("are escaped in JSON too, which stays JSON", () => {
    const text = redacted({ text: JSON.stringify({ a: "[REDACTED:x:0123456789]" }) }).text as string;
    expect(JSON.parse(text)).toEqual({ a: "[\\REDACTED:x:0123456789]" });
  });
  it("are not those that a pattern of the policy writes", () => {
    const parameters = {
      ...all,
      patterns: [{ name: "t", regex: "T-\\d+", replacement: "[REDACTED:ticket:internal]" }],
    };
    const once = transform("redact", { text: "T-12" }, parameters, { pseudonym: session });
    expect(once.text).toBe("[REDACTED:ticket:internal]");
    expect(transform("redact", once, parameters, { pseudonym: session })).toBe(once);
  });
  it("with an id are never ours without a key", () => {
    expect(forgedTokens(token, () => undefined)).toHaveLength(1);
  });
});

describe("which detectors have keyed tokens", () => {
  it.each([
    ["secrets/github-token", true],
    ["secrets/private-key", true],
    ["secrets/generic-password", false],
    ["secrets/url-password", false],
    ["secrets/nope", false],
  ])("%s: %s", (detector, keyed) => expect(hasKeyedToken(detector)).toBe(keyed));
});

describe("masked texts of reasons and records", () => {
  const scanner = createScanner(createRegexEngine(), ["secrets/*"]);
  it("have the tokens of the session", () => {
    if (scanner.kind !== "scanner") throw new Error("no scanner");
    expect(maskText(scanner, `x ${first}`, session)).toBe(`x ${tokenOf("secrets/github-token", first, session)}`);
    expect(maskText(scanner, "clean", session)).toBe("clean");
  });
});
