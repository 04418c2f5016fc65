import { didYouMean } from "../diagnostics/suggest.ts";
import { canonicalEvent } from "../schema/events.ts";
import { wireFields } from "../schema/wire-fields.ts";

/** Fields that an example has besides those of its event: `repeat` and `every`, and files. */
const ofExamples = ["repeat", "every", "files"] as const;

/** Fields of `session` in an event. */
const ofSession: readonly string[] = ["id", "parent", "turn", "agent"];

/** Field that nothing reads. */
interface UnknownField {
  readonly message: string;
  readonly help: string;
}

/**
 * Returns the finding about a field that an author gives to an event of an example and that such an event does not have.
 * Undefined if there is none. Only events of hosts may have further fields.
 */
export function unknownField(written: object, event: string): UnknownField | undefined {
  const name = canonicalEvent(event);
  if (name === undefined) return undefined;
  const known = new Set<string>([...wireFields(name), ...ofExamples]);
  const unknown = Object.keys(written).find((key) => !known.has(key));
  if (unknown !== undefined)
    return { message: `\`${name}\` has no field \`${unknown}\``, help: fieldHelp(unknown, [...known]) };
  return unknownInSession(written);
}

function unknownInSession(event: object): UnknownField | undefined {
  const { session } = event as { session?: unknown };
  if (typeof session !== "object" || session === null) return undefined;
  const unknown = Object.keys(session).find((key) => !ofSession.includes(key));
  return unknown === undefined
    ? undefined
    : { message: `\`session\` of an event has no field \`${unknown}\``, help: fieldHelp(unknown, ofSession) };
}

/** Other words of authors for the number of copies, and for what a session has seen. */
function fieldHelp(field: string, known: readonly string[]): string {
  if (/^(?:times|count|copies|repeats|repetitions|n)$/i.test(field)) return "write `repeat`";
  if (/^(?:agent|depth|subagent|sub_agent|agent_type)$/i.test(field) && known.includes("session"))
    return "write the agent in the session: `session: { agent: { depth: 1 } }`";
  if (/^(?:labels?|calls|history|events|before|after|previous|prior|budget|state)$/i.test(field))
    return "write what came before as events: a list, `[{ … }, { … }]`, of which the last is judged";
  return didYouMean(field, known);
}
