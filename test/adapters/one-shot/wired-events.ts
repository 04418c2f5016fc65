import { installerOf } from "../../../adapters/install/registry.ts";
import { isFault } from "../../../adapters/install/wiring.ts";

/** The events that `install` wires a host for, as the host names them. */
export function wiredEvents(host: string): readonly string[] {
  const files = installerOf(host)?.files({
    scope: "user",
    home: "/h",
    state: "/h/state",
    project: "/p",
    platform: "linux",
    program: { node: "/n/node", launcher: "/n/hookwarden-hook.cjs", command: "/n/hookwarden.js", modules: "/n" },
    by: { policies: [], set: {} },
  });
  if (files === undefined || isFault(files)) throw new Error(`${host} cannot be wired`);
  return files.flatMap((file) => {
    const wired = file.wire(undefined);
    const found = isFault(wired) ? wired : file.inspect(wired.text);
    if (isFault(found)) throw new Error(found.message);
    return found.wired;
  });
}
