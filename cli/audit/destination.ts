import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Io } from "../io.ts";

/** Destination of an export. */
export interface Destination {
  /** Writes one piece; settles when the next one may come. */
  readonly write: (text: string) => Promise<void>;
  /** Completes the export. */
  close(): Promise<void>;
  /** Removes the written text, unless it was closed. */
  abandon(): Promise<void>;
}

/** The destination does not take the export; the message says why. */
export class DestinationRefused extends Error {}

const nothing = (): Promise<void> => Promise.resolve();

/** Standard output. */
export function outDestination(io: Pick<Io, "out">): Destination {
  return { write: (text) => io.out(text), close: nothing, abandon: nothing };
}

/** Returns a file that appears once the export is complete (0600, since records may be private). An existing one is kept, unless forced. */
export function fileDestination(name: string, cwd: string, force: boolean): Destination {
  const path = resolve(cwd, name);
  if (!force && existsSync(path)) throw new DestinationRefused(`\`${name}\` exists; \`--force\` overwrites it`);
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  const file = openSync(temporary, "wx", 0o600);
  let open = true;
  return {
    write: async (text) => {
      const bytes = Buffer.from(text, "utf8");
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    },
    close: async () => {
      fsyncSync(file);
      open = false;
      closeSync(file);
      if (force) return renameSync(temporary, path);
      // A link is made only if nothing is there yet.
      linkSync(temporary, path);
      rmSync(temporary);
    },
    abandon: async () => {
      if (open) closeSync(file);
      open = false;
      rmSync(temporary, { force: true });
    },
  };
}

/** Time limit of a collector for one request, in milliseconds. */
const patience = 30_000;

/** Returns a collector that takes OTLP/JSON by POST (`http://127.0.0.1:4318/v1/logs`). It does not follow redirections. */
export function endpointDestination(endpoint: string): Destination {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new DestinationRefused(`\`${endpoint}\` is no address of a collector`);
  return { write: (body) => post(url, body), close: nothing, abandon: nothing };
}

async function post(url: URL, body: string): Promise<void> {
  const signal = AbortSignal.timeout(patience);
  let response: Response;
  try {
    const headers = { "content-type": "application/json" };
    response = await fetch(url, { method: "POST", body, headers, redirect: "error", signal });
  } catch (error) {
    const { cause } = error as Error;
    const why = cause instanceof Error ? cause.message : (error as Error).message;
    throw new DestinationRefused(`the collector cannot be reached: ${why}`);
  }
  const text = await response.text().catch(() => "");
  if (!response.ok) throw new DestinationRefused(`the collector answered with status ${response.status}`);
  const lost = rejected(text);
  if (lost > 0) throw new DestinationRefused(`the collector refused ${lost} records`);
}

/** Returns the number of records that a collector rejected from an accepted request (`partialSuccess`). */
function rejected(text: string): number {
  try {
    const reply = JSON.parse(text) as { partialSuccess?: { rejectedLogRecords?: unknown } } | null;
    return Number(reply?.partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return 0;
  }
}
