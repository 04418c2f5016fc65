import { approveOnce, isDigest } from "../../store/human-decisions.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { userHome } from "../../store/user-home.ts";
import { waitingCalls } from "../audit/waiting.ts";
import { type Consent, refusal } from "../consent/consent.ts";
import { exit, type Io } from "../io.ts";
import { prettyDiagnostics } from "../report/pretty.ts";

/** Options of `approve`. */
export interface ApproveOptions extends Consent {
  /** Key of the call; without it the waiting calls are shown. */
  readonly once?: string;
}

/**
 * `approve`: shows the calls that a policy asked about while nobody could be asked. `--once <key>` is break-glass: the next
 * call of this very key runs once if a human would be asked. The key covers tool, final arguments, place, effects, labels,
 * rules that ask, and plan. It lifts no block, hence never one of the built-in policy (semantics section 5). Exit code 1 if
 * the human says no or cannot be asked.
 */
export async function approve({ once, ...consent }: ApproveOptions, io: Io): Promise<number> {
  if (once !== undefined && !isDigest(once)) {
    const help = "`hookwarden approve` shows the keys of calls that wait; each begins with `sha256:`";
    io.err(
      prettyDiagnostics([fileDiagnostic("HW701", "hookwarden", `\`${once}\` is no key`, help)], new Map(), io.color),
    );
    return exit.unusable;
  }
  const waiting = await waitingCalls(io, Date.now());
  if (once === undefined) {
    for (const { key, told } of waiting) await io.out(`${key}\n${told}`);
    io.err(waiting.length === 0 ? "no call of the last day waits\n" : "`--once <key>` lets one of them run once\n");
    return exit.fine;
  }
  const told = waiting.find(({ key }) => key === once)?.told ?? "  no call of the last day has this key\n";
  const question = `let the call ${once} run once?`;
  const refused = await refusal({ verb: "approve", told, question }, consent, io);
  if (refused !== undefined) return refused;
  approveOnce(stateFolder(io.env, io.home ?? userHome()), once, Date.now());
  await io.out("the call may run once\n");
  return exit.fine;
}
