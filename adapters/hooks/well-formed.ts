/*
 * What modules answer comes from JavaScript, whose lists may hold anything: a null in the place of a message would end the
 * run of an agent far away from the module that gave it.
 */

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The answer of a check; undefined where a value cannot be read, because a getter throws or a proxy was revoked. */
function read(check: () => boolean): boolean | undefined {
  try {
    return check();
  } catch {
    return undefined;
  }
}

/** A part of a content list. Kinds that nobody here knows are the host's. */
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

/** A list of parts, without holes. Total, as all of these. */
export const isParts = (value: unknown): boolean => read(() => areParts(value)) === true;

/** Content of a message: a text, or a list of parts. */
export const isContent = (value: unknown): boolean => read(() => isTextOrParts(value)) === true;

/** A message of a module, as `before_agent_start` and `sendMessage` take it. */
export const isHookMessage = (value: unknown): boolean => read(() => isOfHook(value)) === true;

/**
 * A message of any role; of a role that nobody here knows, the model's port says what it thinks of it. Undefined for one
 * that cannot be read.
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
