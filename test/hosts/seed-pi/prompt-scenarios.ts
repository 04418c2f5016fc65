import { join } from "node:path";
import type { Answers, HostEvent } from "./pi-api.ts";

/** The smallest picture: pi looks into what it is given. */
export const picture = {
  type: "image",
  mimeType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
} as const;
/** Another picture. */
export const otherPicture = {
  ...picture,
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
} as const;

/** Extension a gives a folder of skills and one of templates. */
export const resources: Readonly<Record<string, Answers>> = {
  a: {
    resources_discover: (_event, { folder }) => ({
      skillPaths: [join(folder, "skills")],
      promptPaths: [join(folder, "prompts")],
    }),
  },
};

const systemPrompt = (event: HostEvent, line: string): string => `${event["systemPrompt"]}\n${line}`;

/** Input, and the start of a run. */
export const promptScenarios: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  start: resources,
  "start with a theme": {
    a: { resources_discover: (_event, { folder }) => ({ themePaths: [join(folder, "themes")] }) },
  },
  plain: {},
  transform: {
    a: { input: (event) => ({ action: "transform", text: `${event["text"]} [a]` }) },
    b: { input: (event) => ({ action: "transform", text: `${event["text"]} [b]` }) },
  },
  "other images": { a: { input: () => ({ action: "transform", text: "look at this", images: [otherPicture] }) } },
  handled: { a: { input: () => ({ action: "handled" }) } },
  continue: { a: { input: () => ({ action: "continue" }) } },
  "into a command": { a: { input: () => ({ action: "transform", text: "/new" }) } },
  "out of a command": { a: { input: () => ({ action: "transform", text: "just words" }) } },
  "send a message": { a: { command: (_event, { pi }) => pi.sendUserMessage("from the extension") } },
  "start messages": {
    a: {
      before_agent_start: (event) => ({
        message: { customType: "seed-a", content: "text of a", display: false, details: { kept: "by a" } },
        systemPrompt: systemPrompt(event, "Line of a."),
      }),
    },
    b: {
      before_agent_start: (event) => ({
        message: { customType: "seed-b", content: [{ type: "text", text: "part of b" }, picture], display: true },
        systemPrompt: systemPrompt(event, "Line of b."),
      }),
    },
  },
  "start throws": {
    a: {
      before_agent_start: () => {
        throw new Error("the start of a fails");
      },
    },
    b: { before_agent_start: () => ({ message: { customType: "seed-b", content: "b goes on", display: true } }) },
  },
  "end looks back": {
    a: {
      agent_end: (event, { ctx, note }) => {
        const branch = ctx.sessionManager?.getBranch() ?? [];
        const count = (list: unknown) => (Array.isArray(list) ? list.length : -1);
        note({
          type: "sizes",
          run: count(event["messages"]),
          branch: branch.filter(({ type }) => type === "message").length,
        });
      },
    },
  },
};
