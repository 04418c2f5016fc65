import { mcpName } from "../../schema/tools.ts";

/** Tells what a tool of a file server does with its paths. */
export type FileAccess = "read" | "metadata" | "write" | "edit" | "move" | "delete" | "delete tree";

/** Tools of well-known file servers, by the tool's name, with the arguments that hold paths. */
const fileTools: ReadonlyMap<string, FileAccess> = new Map<string, FileAccess>([
  ["read_file", "read"],
  ["read_text_file", "read"],
  ["read_media_file", "read"],
  ["read_multiple_files", "read"],
  ["list_directory", "metadata"],
  ["list_directory_with_sizes", "metadata"],
  ["directory_tree", "metadata"],
  ["search_files", "metadata"],
  ["get_file_info", "metadata"],
  ["write_file", "write"],
  ["create_directory", "write"],
  ["edit_file", "edit"],
  ["move_file", "move"],
  ["delete_file", "delete"],
  ["delete_directory", "delete tree"],
]);

const fileServers = /^(?:fs|files?|filesystem|server-filesystem|file-system)$/i;

/** Returns how a tool of a well-known file server uses files; undefined for any other tool. */
export function fileAccess(server: string, tool: string): FileAccess | undefined {
  return fileServers.test(server) ? fileTools.get(tool) : undefined;
}

/** True for a whole name that the table of file servers has: `mcp__filesystem__read_file`. */
export function hasFileTable(name: string): boolean {
  const parts = mcpName(name);
  return parts?.tool !== undefined && fileAccess(parts.server, parts.tool) !== undefined;
}
