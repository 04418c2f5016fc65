import { casbin } from "./casbin.ts";
import { cedar } from "./cedar.ts";
import { bufbuildCel, celJs } from "./cel.ts";
import { closures } from "./closures.ts";
import { hookwarden, hookwardenWhole, hookwardenWithoutIndex } from "./hookwarden.ts";
import { jsonRules } from "./json-rules.ts";
import type { Peer } from "./peer.ts";

/** All engines that decide the same calls by the same rules; ours comes first. */
export const peers: readonly Peer[] = [
  hookwarden,
  hookwardenWhole,
  hookwardenWithoutIndex,
  closures,
  celJs,
  bufbuildCel,
  cedar,
  casbin,
  jsonRules,
];
