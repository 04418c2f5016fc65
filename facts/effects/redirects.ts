import type { Doubt, Redirect } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import type { FoldedRedirect, LooseRedirect } from "../shell/draft.ts";
import { type Field, rewritten, shapeOf } from "../shell/fields.ts";
import type { Sink } from "./sink.ts";

/** Reports the redirections of compound commands. */
export function reportLoose(redirects: readonly LooseRedirect[], sink: Sink, doubts: Doubt[]): void {
  for (const { cwd, redirect, place, certain, possible } of redirects) {
    if (sink.overflown) break;
    const reached = certain !== false;
    sink.begin({ via: "shell", command: -1, cwd, certain: reached || possible === true, reached });
    reportRedirect(redirect, sink);
    if (sink.uncertain > 0)
      doubts.push({ reason: "the target of a redirection is not known", span: { start: place.start, end: place.end } });
  }
}

/** Reports the redirections of one command, and gives them as facts. */
export function reportRedirects(redirects: readonly FoldedRedirect[], sink: Sink): readonly Redirect[] {
  const facts: Redirect[] = [];
  spend(4 * redirects.length);
  for (const redirect of redirects) {
    if (sink.overflown) break;
    const fact = reportRedirect(redirect, sink);
    if (fact) facts.push(fact);
  }
  return facts;
}

/** Reports the input of a redirection. An unknown target may be a connection, which is no read. */
function reportInput(target: Field, sink: Sink): void {
  sink.read(target);
  if (target.kind === "unknown") sink.uncertain += 1;
}

/** True for a path that bash opens as a connection. Its unknown part may hold the port, or all but the protocol. */
function isSocketPath(target: Field): boolean {
  const wanted = target.kind === "unknown" ? /^\/dev\/(?:tcp|udp)\/./s : /^\/dev\/(?:tcp|udp)\/[^/]+\/[^/]+$/;
  return wanted.test(shapeOf(target));
}

function socketAddress(path: string): string {
  const [, , protocol, host, ...port] = path.split("/");
  return `${protocol}://${[host, ...port].join(":")}`;
}

/**
 * Reports the effects of a redirection: `>` and similar operators write, `<` reads, `/dev/tcp/…` is a connection. Duplications
 * have none.
 */
function reportRedirect(redirect: FoldedRedirect, sink: Sink): Redirect | undefined {
  const { operator, target } = redirect;
  if (!target) return redirect.data ? { operator, certain: redirect.data.kind !== "unknown" } : undefined;
  if ((operator === ">&" || operator === "<&") && /^(?:\d*-?|-)$/.test(target.text)) return undefined;
  if (isSocketPath(target)) sink.network(rewritten(target, socketAddress), "both");
  else if (operator === "<" || operator === "<&") reportInput(target, sink);
  else {
    if (operator === "<>") reportInput(target, sink);
    sink.write(target);
  }
  const path = sink.path(target);
  return path
    ? { operator, path: path.value, certain: path.certain }
    : { operator, certain: target.kind !== "unknown" };
}
