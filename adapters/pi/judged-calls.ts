import { digest } from "../../runtime.ts";

/** Maximum number of remembered calls, far more than an agent runs at a time. The oldest is forgotten first. */
const rememberedCalls = 4_096;

/**
 * Digests of the judged arguments, by call id, to compare them with the arguments that ran
 * (semantics section 3, step 7; hosts page section 5: a later extension can change the input after a guard allowed it).
 */
export class JudgedCalls {
  readonly #digests = new Map<string, string>();

  remember(callId: string, judged: string): void {
    const oldest = this.#digests.size >= rememberedCalls ? this.#digests.keys().next() : undefined;
    if (oldest && !oldest.done) this.#digests.delete(oldest.value);
    this.#digests.set(callId, judged);
  }

  /** Says how the arguments that ran differ from those judged; undefined if they do not. A call is compared once. */
  difference(callId: string, input: unknown): string | undefined {
    const judged = this.#digests.get(callId);
    this.#digests.delete(callId);
    if (judged === undefined) return "the call ran without having been judged";
    const ran = digest(input);
    return ran === judged ? undefined : `the call ran with other arguments (${ran}) than those judged (${judged})`;
  }
}

/** Makes `input` equal to `args` in place, because the host runs this same object. Throws if it is frozen. */
export function replaceArguments(input: Record<string, unknown>, args: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(args, name) && !Reflect.deleteProperty(input, name))
      throw new Error("arguments cannot be changed");
  }
  for (const name of Object.keys(args)) {
    Object.defineProperty(input, name, { value: args[name], enumerable: true, configurable: true, writable: true });
  }
}

/** Freezes a value and everything in it, as far as the language allows (not the bytes of a buffer). */
export function freezeDeep(value: unknown): void {
  const seen = new Set<object>();
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next !== "object" || next === null || seen.has(next) || ArrayBuffer.isView(next)) continue;
    seen.add(next);
    Object.freeze(next);
    for (const key of Object.keys(next)) rest.push((next as Record<string, unknown>)[key]);
  }
}
