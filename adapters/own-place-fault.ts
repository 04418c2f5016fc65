import { fileURLToPath } from "node:url";
import { placeOfPath } from "../store/place-folder.ts";
import { placeFault, placeFaultText } from "./one-shot/start/place-check.ts";
import type { Fault } from "./pi/denial.ts";

/**
 * Returns the fault if a module, given by its URL, may not judge: it is in one of hookwarden's own places that was altered
 * after installation. Undefined if the place is intact, or the module is elsewhere. The program around it is the host's, so
 * its Node is not checked. Never throws.
 */
export function ownPlaceFault(moduleUrl: string): Fault | undefined {
  const place = moduleUrl.startsWith("file:") ? placeOfPath(fileURLToPath(moduleUrl)) : undefined;
  const fault = place === undefined ? undefined : placeFault(place, { node: undefined, whole: true });
  if (!fault) return undefined;
  const { code, message, fix } = placeFaultText(fault);
  return { code, message, fix };
}
