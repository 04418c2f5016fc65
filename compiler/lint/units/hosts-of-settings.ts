import { type Claim, textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";

/** Lint: a list of hosts has none of the names that stand for a host which only a client's settings know. */
export const hostsOfSettings: Lint = {
  code: "HW811",
  name: "hosts-of-settings",
  why: "Git reaches a remote by its name, and `kubectl` reaches the cluster of its settings. The engine does not read these settings: the host of `git push origin` is `origin`, that of `kubectl get pods` is `configured`. A list of allowed hosts without these names stops such commands too.",
  advice: "Add `origin` and `configured` to the list, if such commands may pass.",
  bad: [
    {
      title: "two hosts of the internet",
      at: ["n.url.host: { host_in: [github.com, registry.npmjs.org] }"],
      policy: `  - id: egress
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [github.com, registry.npmjs.org] } }
    action: ask
    reason: "{n.url.host} is not on the list"
`,
    },
  ],
  good: [
    {
      title: "with these names, for one program, and a list of hosts to stop",
      policy: `  - id: egress
    event: [tool_call, user_bash]
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [github.com, registry.npmjs.org, origin, configured] } }
    action: ask
    reason: "{n.url.host} is not on the list"
  - id: downloads
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.via: [curl, wget] }
    unless: { n.url.host: { host_in: [github.com, registry.npmjs.org] } }
    action: ask
    reason: "{n.url.host} is not on the list"
  - id: paste
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: [paste.example, files.example] } }
    action: block
    reason: anybody can read it there
`,
    },
  ],
  claim(claim, { rule }) {
    if (!rule?.guards || !isListOfAllowed(claim) || !isOfCommands(claim, rule)) return undefined;
    const texts = textValues(claim).map(({ text }) => text);
    // A list of local addresses, or of the names themselves, is no list of hosts of the internet.
    if (!texts.some((text) => /[a-z]\.[a-z]{2,}$/i.test(text)) || texts.some((text) => settings.has(text)))
      return undefined;
    // Any other test may leave out such commands.
    if (rule.claims.some((other) => other !== claim && other.part !== "action")) return undefined;
    return {
      span: claim.span,
      message:
        "this list stops `git push origin` and `kubectl get pods` too, whose hosts are `origin` and `configured`",
      help: "add `origin` and `configured` to the list, if such commands may pass",
    };
  },
};

/** Hosts in place of those that only the settings of a client know. */
const settings: ReadonlySet<string> = new Set(["origin", "upstream", "configured"]);

/** Tells whether calls pass whose host is among the claim's values. */
function isListOfAllowed({ field, operator, part, negated }: Claim): boolean {
  if ((field !== "url.host" && field !== "url") || !/^(?:in|host_in|equals)$/.test(operator)) return false;
  return part === "when" ? negated : (part === "unless" || part === "exception") && !negated;
}

/** Tells whether it is about connections, those of commands among them. */
function isOfCommands({ path }: Claim, { typed }: LintedRule): boolean {
  const list = typed?.each?.list;
  const isOfEffects = (list?.k === "root" && list.name === "effects.network") || path.startsWith("effects.network");
  return isOfEffects && (typed?.tools.length === 0 || typed?.tools.includes("bash") === true);
}
