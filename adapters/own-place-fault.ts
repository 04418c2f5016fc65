import { fileURLToPath } from "node:url";
import { placeOfPath } from "../store/place-folder.ts";
import { placeFault, placeFaultText } from "./one-shot/start/place-check.ts";
import type { Fault } from "./pi/denial.ts";

/**
 * Why nothing may be judged by a module, by its URL: it stands in a place of hookwarden's own that is not as it was installed.
 * Undefined where it is, or where the module stands elsewhere. The program around it is the host's, so that its Node is not
 * asked about. Never throws.
 */
export function ownPlaceFault(moduleUrl: string): Fault | undefined {
  const place = moduleUrl.startsWith("file:") ? placeOfPath(fileURLToPath(moduleUrl)) : undefined;
  const fault = place === undefined ? undefined : placeFault(place, { node: undefined, whole: true });
  if (!fault) return undefined;
  const { code, message, fix } = placeFaultText(fault);
  return { code, message, fix };
}
