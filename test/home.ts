import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const settings = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] as const;

/**
 * Gives every run of the tests a home of its own: what hookwarden keeps for a user (keys, state, audit, policies) is
 * written below a scratch folder, and nothing of the machine's user is read. The folder is removed when the run ends.
 */
export default function ownHome(): () => void {
  const home = mkdtempSync(join(tmpdir(), "hookwarden-home-"));
  for (const name of settings) delete process.env[name];
  process.env["HOME"] = home;
  process.env["USERPROFILE"] = home;
  return () => rmSync(home, { recursive: true, force: true });
}
