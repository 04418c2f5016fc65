/**
 * The label of a session in which the engine has handed the model text that the policy did not write: an injected text that
 * quotes the event, or what a program of a rule wrote. Only the engine sets it; policies test it without declaring it. Source:
 * semantics section 2 (`inject`), threats section 5.
 */
export const injectedLabel = "injected";

/** Labels that are there without a declaration, by name, and their kinds. No policy makes a taint of them a mark. */
export const builtInLabels: Readonly<Record<string, "taint" | "mark">> = { [injectedLabel]: "taint" };

/**
 * Roots whose values a text may contain and still count as the policy's own: values of policies, the host and the session's own
 * state. All other roots contain foreign text: the call, its result, names of folders, branches and tools.
 */
export const ownRoots: ReadonlySet<string> = new Set("parameters lists conditions event host session".split(" "));
