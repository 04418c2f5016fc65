import type { Registration } from "../api.ts";
import { attempt, type Chain, errorText, fault, fieldsOf, policyPath } from "../chain.ts";
import type { InputEvent } from "../events.ts";
import type { ImageContent } from "../messages.ts";
import type { InputOutcome } from "../results.ts";
import { snapshot } from "../snapshot.ts";

interface Text {
  readonly text: string;
  readonly images: ImageContent[] | undefined;
}

/** One handler's answer, independent of the host's form. */
type Answer = { readonly handled: true } | ({ readonly handled: false } & Partial<Text>);

/**
 * Runs the `input` handlers, each with the text of the one before; the first that handles it ends the chain
 * (seed pi-hook-reference, section 1). Otherwise the policy judges the resulting text.
 */
export async function emitInput(chain: Chain, event: InputEvent): Promise<InputOutcome> {
  let current: Text = { text: event.text, images: event.images };
  for (const registration of chain.handlers("input")) {
    const given = { ...event, text: current.text, ...imagesOf(privateImages(current.images)) };
    const answer = await attempt(chain, registration, given);
    const read = answer === fault ? fault : readAnswer(chain, registration, answer);
    if (read === fault) {
      if (chain.faults === "closed") return { ...outcome(event, current, "handled"), reason: "a hook module failed" };
      continue;
    }
    if (read === undefined) continue;
    if (read.handled) return outcome(event, current, "handled");
    current = { text: read.text ?? current.text, images: read.images ?? current.images };
  }
  return judge(chain, event, current);
}

function imagesOf(images: ImageContent[] | undefined): { images?: ImageContent[] } {
  return images === undefined ? {} : { images };
}

/** Copies the images for one handler, so that its changes in place affect nobody else. */
function privateImages(images: ImageContent[] | undefined): ImageContent[] | undefined {
  const taken = snapshot(images, { unfit: "withhold" });
  return taken.ok ? (taken.value as ImageContent[] | undefined) : [];
}

function outcome(event: InputEvent, current: Text, action?: "handled"): InputOutcome {
  const same = current.text === event.text && current.images === event.images;
  return { action: action ?? (same ? "continue" : "transform"), text: current.text, ...imagesOf(current.images) };
}

function readAnswer(chain: Chain, registration: Registration, answer: unknown): Answer | undefined | typeof fault {
  const fields = fieldsOf(chain, registration, answer, ["action", "handled", "text", "images"]);
  if (fields === undefined || fields === fault) return fields;
  const garbage = (why: string): typeof fault => {
    chain.report(registration.hookPath, registration.event, new Error(why));
    return fault;
  };
  const { action, handled, text, images } = fields;
  if (text !== undefined && typeof text !== "string") return garbage("`text` is not a text");
  if (images !== undefined && !Array.isArray(images)) return garbage("`images` is not a list");
  const changed = {
    handled: false as const,
    ...(text === undefined ? {} : { text }),
    ...(images === undefined ? {} : { images }),
  };
  if (chain.profile.inputAnswer === "handled") return handled === true ? { handled } : changed;
  switch (action) {
    case undefined:
    case "continue":
      return undefined;
    case "handled":
      return { handled: true };
    case "transform":
      return text === undefined ? garbage("`transform` has no text") : changed;
    default:
      return garbage("`action` is none of `continue`, `transform`, `handled`");
  }
}

async function judge(chain: Chain, event: InputEvent, current: Text): Promise<InputOutcome> {
  if (chain.policy?.input === undefined) return outcome(event, current);
  const taken = snapshot(
    { ...event, text: current.text, ...imagesOf(current.images) },
    { freeze: true, unfit: "refuse" },
  );
  if (!taken.ok)
    return { ...outcome(event, current, "handled"), reason: `the input cannot be judged: ${taken.reason}` };
  const judged = taken.value as InputEvent;
  try {
    const verdict = await chain.policy.input(judged);
    if (verdict?.block) {
      return {
        ...outcome(event, current, "handled"),
        ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
      };
    }
    const images = verdict?.images === undefined ? judged.images : [...verdict.images];
    const same = current.images === event.images && verdict?.images === undefined;
    const final = outcome(event, { text: verdict?.text ?? judged.text, images: same ? event.images : images });
    if (verdict?.message === undefined) return final;
    chain.injections.remember(verdict.message);
    return { ...final, messages: [verdict.message] };
  } catch (error) {
    chain.report(policyPath, "input", error);
    return {
      ...outcome(event, current, "handled"),
      reason: `the policy could not judge the input: ${errorText(error)}`,
    };
  }
}
