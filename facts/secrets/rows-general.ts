import type { Detector } from "./detector.ts";
import { assign, assigned } from "./detector.ts";

/** Characters that no value without quotes holds. */
const parts = `\\s"'\`,;<>\\[\\](){}|&\\\\`;

/** Value of a name-and-value row: it does not begin a variable, call or list; a dollar may be inside. Group 2 matches the `(` of a call. */
const value = (least: number): string => `([^$${parts}][^${parts}]{${least - 1},299})(\\(?)`;

/** Names of keys, tokens and secrets. */
const keyNames =
  "api[_-]?key|access[_-]?key|secret[_-]?key|private[_-]?key|auth[_-]?key|signing[_-]?key|encryption[_-]?key|client[_-]?secret|secret|token|credentials?";
const passwordNames = "password|passwd|passphrase|pwd|db_pass";

const pemHead = "-----BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----";
const pemEnd = "-----END[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?-----";
/** Line breaks, and the characters around them if the key is in code, YAML or a quoted mail. */
const pemGap = "[\\s\\\\rn\"',+|>#*]";

/** Secrets known by their form or by the name beside them, from any issuer. */
export const generalRows: readonly Detector[] = [
  {
    id: "secrets/private-key",
    title: "Private key block",
    pattern: `(${pemHead}${pemGap}{0,40}(?:[A-Za-z-]{1,40}: [^\\r\\n]{0,150}[\\r\\n]{1,4}){0,6}${pemGap}{0,40}[A-Za-z0-9+/=]{24,}(?:[A-Za-z0-9+/=\\s\\\\"',|>#*]*?${pemEnd}|(?:${pemGap}{1,40}[A-Za-z0-9+/=]{16,})*))`,
    keywords: ["PRIVATE KEY"],
    window: "block",
    confidence: "high",
  },
  {
    id: "secrets/putty-key",
    title: "PuTTY private key",
    pattern: "(Private-Lines: \\d{1,4}\\s{1,4}[A-Za-z0-9+/=]{40,}(?:\\s{1,4}[A-Za-z0-9+/=]{16,})*)",
    keywords: ["Private-Lines"],
    window: "block",
    confidence: "high",
  },
  {
    id: "secrets/jwt",
    title: "JSON web token",
    pattern: "\\b(eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,})",
    keywords: ["eyJ"],
    window: "run",
    confidence: "high",
  },
  {
    id: "secrets/authorization-header",
    title: "Credential in an authorization header",
    pattern: `(?i)authorization["']?\\s{0,3}[:=]\\s{0,3}["']?(?:bearer|basic|token|bot|apikey)\\s{1,3}([a-z0-9._~+/=-]{12,900})`,
    keywords: ["authorization"],
    confidence: "high",
    checks: "value",
  },
  {
    id: "secrets/url-password",
    title: "Password in a URL or database address",
    pattern:
      "\\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\\s/:@\"'<>\\[\\]]{0,100}:([^\\s/@\"'<>\\[\\]{}$]{4,200})@[A-Za-z0-9\\[]",
    keywords: ["://"],
    follows: "userinfo",
    confidence: "medium",
    checks: "value",
  },
  {
    id: "secrets/connection-string",
    title: "Password in a connection string",
    pattern:
      "(?i)\\b[a-z][a-z ]{1,30}\\s?=[^;=\\n\"']{1,200};\\s?(?:password|pwd)\\s?=\\s?([^;\\s\"'\\[\\]{}$<>]{3,200})",
    keywords: ["password", "pwd"],
    follows: "assignment",
    noPath: true,
    confidence: "medium",
    checks: "value",
  },
  {
    id: "secrets/environment-assignment",
    title: "Secret in an environment file",
    pattern: `(?m)^[ \\t]{0,8}(?:export[ \\t]{1,4})?(?:[A-Z][A-Z0-9_]{0,60}_)?(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?)=["']?${value(8)}`,
    keywords: ["KEY=", "TOKEN=", "SECRET=", "PASSWORD=", "PASSWD=", "PASS=", "PWD=", "CREDENTIAL=", "CREDENTIALS="],
    confidence: "medium",
    entropy: 2.5,
    checks: "value",
  },
  {
    id: "secrets/generic-key",
    title: "Value named key, token or secret",
    pattern: `(?i)(?:${keyNames})[\\w-]{0,40}${assign}${value(12)}`,
    keywords: ["key", "secret", "token", "credential"],
    follows: "assignment",
    noPath: true,
    confidence: "low",
    entropy: 3,
    checks: "mixed",
    allow: ["base64urlstring"],
  },
  {
    id: "secrets/generic-password",
    title: "Value named password",
    pattern: `(?i)(?:${passwordNames})${assign}${value(6)}`,
    keywords: ["password", "passwd", "passphrase", "pwd", "db_pass"],
    follows: "assignment",
    noPath: true,
    confidence: "low",
    entropy: 2,
    checks: "mixed",
  },
  {
    id: "secrets/generic-quoted",
    title: "Value in quotes, with marks in it, named password, key, token or secret",
    pattern: `(?i)(?:${keyNames}|${passwordNames})[\\w-]{0,40}${assigned}\\\\?["'\`]([^\\s"'\`\\\\]{8,200})\\\\?["'\`]`,
    keywords: ["key", "secret", "token", "credential", "password", "passwd", "passphrase", "pwd", "db_pass"],
    follows: "assignment",
    noPath: true,
    confidence: "low",
    entropy: 2.75,
    checks: "quoted",
  },
  {
    id: "secrets/generic-line",
    title: "Value with marks in it that is all of a line, named password, key, token or secret",
    pattern: `(?im)^[ \\t]{0,20}(?:export[ \\t]|-[ \\t])?[\\w.-]{0,40}(?:${keyNames}|${passwordNames})[\\w-]{0,40}[ \\t]{0,4}[:=][ \\t]{0,4}([^\\s"'\`\\\\]{8,200})[ \\t]{0,8}\\r?$`,
    keywords: ["key", "secret", "token", "credential", "password", "passwd", "passphrase", "pwd", "db_pass"],
    follows: "assignment",
    noPath: true,
    confidence: "low",
    entropy: 2.75,
    checks: "quoted",
  },
];
