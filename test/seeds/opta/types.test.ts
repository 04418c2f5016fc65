// The types of the seed opta-hook-system, read out of the seed itself, beside the types that are shipped.

import { join } from "node:path";
import { expect, it } from "vitest";
import { blockWith } from "../code-blocks.ts";
import { withSeeds } from "../seed-text.ts";
import { repository, typeErrors } from "../type-errors.ts";

/** The shipped types, and that those of the same names which the seed declares fit them. */
const claims = `
import type * as Own from ${JSON.stringify(join(repository, "adapters/opta/index.ts"))};
declare const event: HookEvent, definition: HookDefinition, context: HookContext, result: Own.HookResult;
const takesEvent: Own.HookEvent = event;
const takesDefinition: Own.HookDefinition = definition;
const takesContext: Own.HookContext = context;
const givesResult: HookResult = result;
`;

withSeeds("the types of Opta's seed", () => {
  const block = (): string => blockWith("opta-hook-system", "export interface HookDefinition");

  it("are types that the product takes and gives, and would not be with another event, or another field", async () => {
    const changes = [
      ["'compact'", "'squeeze'"],
      ["cancelled: boolean", "stopped: boolean"],
      ["session_id: string", "session: string"],
    ] as const;
    for (const [own] of changes) expect(block()).toContain(own);
    const changed = changes.map(([own, other]) => block().replace(own, other) + claims);
    const [same, ...others] = await typeErrors(block() + claims, ...changed);
    expect(same).toEqual([]);
    expect(changes.filter((_, i) => others[i]?.length === 0)).toEqual([]);
  });
});
