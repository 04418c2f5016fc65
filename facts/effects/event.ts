import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { metered } from "../meter.ts";
import { dialectOf } from "../shell/dialects.ts";
import { own } from "./arguments.ts";
import { languageOf, readCode } from "./code.ts";
import { readDeclaredTool } from "./declared-tools.ts";
import { readForeignTool } from "./mcp.ts";
import { notKnown, type Reading } from "./reading.ts";
import { readShellCall, readTool } from "./tools.ts";

const nothing: Reading = { understanding: "understood", doubts: [], shell: undefined, effects: undefined };

/**
 * Reads what an event would do: the call of a tool event, the command of `user_bash`, the code of `user_python`. Other events
 * do nothing. A call whose reading needs more work than its `share` of `limits.readingWork` is not understood.
 */
export function readEvent(event: JudgedEvent, files: FileSystem, share = 1): Reading {
  return metered(limits.readingWork * share, () => reading(event, files), overworked);
}

function overworked(): Reading {
  return notKnown("the call takes more work than it is given to be understood");
}

function reading(event: JudgedEvent, files: FileSystem): Reading {
  const dialect = dialectOf(event.environment.shell) || "bash";
  if (event.event === "user_bash") return readShellCall(dialect, event.command, own(event.fields, "cwd"), event, files);
  if (event.event === "user_python") return readCode("python", event.code, event, files) ?? nothing;
  if (!event.tool) return nothing;
  const { name } = event.tool;
  if (name === "bash") return readShellCall(dialect, own(event.args, "command"), own(event.args, "cwd"), event, files);
  if (name === "powershell")
    return readShellCall("powershell", own(event.args, "command"), own(event.args, "cwd"), event, files);
  if (name === "eval") {
    const code = readCode(languageOf(event), own(event.args, "code"), event, files);
    if (code) return code;
  }
  return readTool(name, event, files) ?? readDeclaredTool(name, event, files) ?? readForeignTool(name, event, files);
}
