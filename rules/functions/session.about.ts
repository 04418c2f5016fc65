import type { About } from "./about.ts";
import { about } from "./about.ts";

/** Reference entries of functions on the session and on labelled files (language section 4). */
export const sessionAbout: Readonly<Record<string, readonly About[]>> = {
  calls: [
    about(
      "session.calls",
      "session.calls(map(string, dyn)): list(call)",
      "Earlier calls of the session that have all of the given `tool` (a name or glob), `event`, `outcome`, `executed` and `agent`; at most the last 4,096.",
      ['session.calls({"tool": "bash"}).size()', "0"],
      ['session.calls({"outcome": "block", "executed": false}).size()', "0"],
    ),
    about("session.calls_all", "session.calls(): list(call)", "All earlier calls of the session.", [
      "session.calls().size()",
      "0",
    ]),
  ],
  labels: [
    about("paths.labels", "paths.labels(path): list(string)", "Labels of the file and of the folders above it.", [
      'paths.labels(path("/srv/app/x"))',
      "[]",
    ]),
  ],
};
