import { describe, expect, it } from "vitest";
import { foundIn } from "../never/found.ts";

function found(event: string, action: string): readonly string[] {
  const all = foundIn(`  - id: r\n    event: ${event}\n    action: ${action}\n`);
  return all.filter(({ code }) => code === "HW614" || code === "HW678").map(({ at }) => at);
}

const fields = (list: string): string => `{ redact: { detectors: ["secrets/*"], fields: [${list}] } }`;
const pattern = (parts: string): string => `{ redact: { patterns: [{ name: k, ${parts} }] } }`;
const marker = (text: string): string => `{ truncate: { max_chars: 8000, marker: ${text} } }`;

/** Values of actions that leave nothing to do, with the place. */
const idle: readonly (readonly [event: string, action: string, at: string])[] = [
  ["tool_result", fields("result.text"), "result.text"],
  ["tool_result", fields("output"), "output"],
  ["tool_result", fields("args.command"), "args.command"],
  ["tool_result", fields("content.text"), "content.text"],
  ["context", fields("content"), "content"],
  ["context", fields("messages.content"), "messages.content"],
  ["tool_call", fields("content"), "content"],
  ["tool_result", pattern("regex: 'API_KEY=([0-9a-f]{32})', secret: 1, min_entropy: 7.5"), "7.5"],
  ["tool_result", pattern("regex: 'PIN=(\\d{4,8})', secret: 1, min_entropy: 3.5"), "3.5"],
  ["tool_result", pattern("regex: '(?i)tok_([a-f0-9]+)', secret: 1, min_entropy: 5"), "5"],
  ["tool_result", pattern("regex: '[0-9a-f]{40}', min_entropy: 4.5"), "4.5"],
  ["tool_result", pattern("regex: 'id=([A-Za-z0-9]{8})', secret: 1, min_entropy: 3.2"), "3.2"],
  ["tool_result", pattern("regex: 'API_KEY=\\S+', except: ['^API_KEY=']"), "'^API_KEY='"],
  ["tool_result", pattern("regex: '(?:ghp|gho)_[A-Za-z0-9]{36}', except: ['^gh[po]_']"), "'^gh[po]_'"],
  ["tool_result", pattern("regex: 'pw: (\\S+)', secret: 1, except: ['.+']"), "'.+'"],
  ["context", marker('"[{ommited} left out]"'), '"[{ommited} left out]"'],
  ["context", marker('"cut {count} of {total}"'), '"cut {count} of {total}"'],
  ["context", marker("'${omitted} left out'"), "'${omitted} left out'"],
];

const alive: readonly (readonly [event: string, action: string])[] = [
  ["tool_result", fields('content, details.headers, "content[0].text", structured, result.content')],
  ["[tool_result, input, context, tool_call, user_bash]", fields("input.text, args.command, command, content")],
  ["before_agent_start", fields("prompt, system_prompt")],
  ["tool_result", pattern("regex: 'PIN=(\\d{4,8})', secret: 1, min_entropy: 2")],
  ["tool_result", pattern("regex: 'tok_([A-Za-z0-9_-]+)', secret: 1, min_entropy: 4.5")],
  ["tool_result", pattern("regex: 'k=([a-f0-9]{32})?\\S*', secret: 1, min_entropy: 4.5")],
  ["tool_result", pattern("regex: 'a=([0-9]+)|b=\\w+', secret: 1, min_entropy: 4.5")],
  ["tool_result", pattern("regex: 'API_KEY=\\S+', except: ['^API_KEY=example$', test, '\\d$', 'API_KEY=x+$']")],
  ["tool_result", pattern("regex: 'API_KEY=(\\S+)', secret: 1, except: ['^API_KEY=', '^.{1,3}$']")],
  ["tool_result", pattern("regex: '(?:ghp|gho)_[A-Za-z0-9]{36}', except: ['^ghp_']")],
  ["tool_result", pattern("regex: 'pw: (\\S+)', secret: 1, except: ['^[A-Z_]+$', '^[a-z]+$']")],
  ["context", marker('"[{omitted} of {total} left out, 100% of {} ok]"')],
  ["context", marker('"…"')],
];

describe("values of redact and truncate", () => {
  it.each(idle)("%s %s does nothing by %s", (event, action, at) => {
    expect(found(event, action)).toEqual([at]);
  });

  it.each(alive)("%s %s may do something", (event, action) => {
    expect(found(event, action)).toEqual([]);
  });
});
