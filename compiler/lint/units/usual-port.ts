import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a test of a port forgets that facts leave the usual port of a scheme out. */
export const usualPort: Lint = {
  code: "HW813",
  name: "usual-port",
  why: "Facts leave the usual port of a scheme out: that of `https://example.com/` is empty, and so is that of `https://example.com:443/`.",
  advice: 'Write `""` beside the number.',
  bad: [
    {
      title: "other ports than the usual one, in three spellings",
      at: ['n.url.port: { not_equals: "443" }', 'n.url.port: ["443", "8443"]', 'n.url.port != "80"'],
      policy: `  - id: odd
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.port: { not_equals: "443" } }
    action: ask
    reason: the port is odd
  - id: waived
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.port: ["443", "8443"] }
    action: ask
    reason: the port is odd
  - id: plain
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: n.url.scheme == "http" && n.url.port != "80"
    action: ask
    reason: the port is odd
`,
    },
  ],
  good: [
    {
      title: "the empty text beside it, and a port of one's own",
      policy: `  - id: odd
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.port: { not_in: ["", "443"] } }
    action: ask
    reason: the port is odd
  - id: admin
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.port: ["8443", "2375"] }
    action: block
    reason: machines are steered there
  - id: plain
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: n.url.port != "" && n.url.port != "443"
    unless: { any: [{ n.url.port: { size: 0 } }, { n.url.port: "80" }] }
    action: ask
    reason: the port is odd
`,
    },
  ],
  claim(claim, { rule }) {
    const { field, operator, part, negated, span, path } = claim;
    if (field !== "url.port" || !isWhole(operator) || part === "action") return undefined;
    const texts = textValues(claim).map(({ text }) => text);
    const usual = texts.find((text) => usualPorts.has(text));
    if (usual === undefined || texts.includes("")) return undefined;
    // A rule may be about addresses that name the port.
    if (part === "when" && !negated) return undefined;
    // The empty port may stand in a test of its own.
    const others = rule?.claims.filter((other) => other !== claim && other.path.startsWith(path)) ?? [];
    if (others.some((other) => other.operator === "size" || other.values?.includes("") || /\.size$/.test(other.path)))
      return undefined;
    const all = ["", ...texts].map((text) => `"${text.slice(0, 20)}"`).join(", ");
    return {
      span,
      message: `${negated ? "an address without a port fits too" : "no address without a port fits"}: facts leave the usual port ${usual} out`,
      help: `write \`${path}: ${negated ? `{ not_in: [${all}] }` : `[${all}]`}\``,
    };
  },
};

/** Ports that clients use without being told. */
const usualPorts: ReadonlySet<string> = new Set(["80", "443"]);
