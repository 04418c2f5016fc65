import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A stand-in for `nc -U -w seconds path`, for machines without one: copies standard input to the socket and the socket to
 * standard output until the other side ends, as OpenBSD's does; exit code 1 where nobody listens. A test that must not wait
 * so long names its own seconds. A double: it shows what the launcher does with such a program, not what the program does.
 */
const text = (seconds: number | undefined): string => `#!${process.execPath}
const { connect } = require("node:net");
const given = process.argv.slice(2);
const socket = connect(given.at(-1));
socket.on("error", () => process.exit(1));
socket.on("connect", () => process.stdin.pipe(socket, { end: false }));
socket.pipe(process.stdout);
socket.on("close", () => process.exit(0));
setTimeout(() => process.exit(0), 1000 * ${seconds ?? 'Number(given[given.indexOf("-w") + 1])'});
`;

/** Writes it into a folder, under the name by which the launcher finds it. */
export function writeNc(folder: string, seconds?: number): void {
  const path = join(folder, "nc");
  writeFileSync(path, text(seconds));
  chmodSync(path, 0o755);
}
