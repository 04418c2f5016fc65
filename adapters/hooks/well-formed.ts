/*
 * Checks of modules' answers. They come from JavaScript, where a list may hold anything: a null among the messages would
 * end an agent's run far away from the module that returned it.
 */

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Runs a check; returns undefined if a value cannot be read, because a getter throws or a proxy was revoked. */
function read(check: () => boolean): boolean | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

/** True for a part of a content list. Unknown types pass, because a host may have its own. */
function isPart(value: unknown): boolean {
  if (!isObject(value) || typeof value["type"] !== "string") return false;
  return value["type"] !== "text" || typeof value["text"] === "string";
}

function areParts(value: unknown): boolean {
  return Array.isArray(value) && Array.from(value).every(isPart);
}

function isTextOrParts(value: unknown): boolean {
  return typeof value === "string" || areParts(value);
}

function isOfHook(value: unknown): boolean {
  return isObject(value) && typeof value["customType"] === "string" && isTextOrParts(value["content"]);
}

/** True for a list of parts without holes. Never throws, like all of these. */
export const isParts = (value: unknown): boolean => read(() => areParts(value)) === true;

/** True for the content of a message: a text, or a list of parts. */
export const isContent = (value: unknown): boolean => read(() => isTextOrParts(value)) === true;

/** True for a module's message, as `before_agent_start` and `sendMessage` take it. */
export const isHookMessage = (value: unknown): boolean => read(() => isOfHook(value)) === true;

/**
 * True for a message of any role; undefined if it cannot be read. Unknown roles pass, and the model's port decides about
 * them.
 */
export const isMessage = (value: unknown): boolean | undefined => read(() => hasItsFields(value));

function hasItsFields(value: unknown): boolean {
  if (!isObject(value) || typeof value["role"] !== "string") return false;
  const { role, content, command, output, summary } = value;
  switch (role) {
    case "user":
    case "assistant":
    case "tool":
    case "toolResult":
      return isTextOrParts(content);
    case "custom":
      return isOfHook(value);
    case "bashExecution":
      return typeof command === "string" && typeof output === "string";
    case "compactionSummary":
    case "branchSummary":
      return typeof summary === "string";
    default:
      return true;
  }
}
