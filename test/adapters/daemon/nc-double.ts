import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A stand-in for `nc -U -w seconds path`, for machines without one: copies standard input to the socket and the socket to
 * standard output until the other side ends, as OpenBSD's does; exit code 1 where nobody listens. A test that must not wait
 * so long sets `NC_SECONDS`. A double: it shows what
 * the launcher does with such a program, not what the program does.
 */
const text = `#!${process.execPath}
const { connect } = require("node:net");
const given = process.argv.slice(2);
const socket = connect(given.at(-1));
socket.on("error", () => process.exit(1));
socket.on("connect", () => process.stdin.pipe(socket, { end: false }));
socket.pipe(process.stdout);
socket.on("close", () => process.exit(0));
setTimeout(() => process.exit(0), 1000 * Number(process.env.NC_SECONDS ?? given[given.indexOf("-w") + 1]));
`;

/** Writes it into a folder, under the name by which the launcher finds it. */
export function writeNc(folder: string): void {
  const path = join(folder, "nc");
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
