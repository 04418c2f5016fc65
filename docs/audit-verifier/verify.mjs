// Checks an audit folder of hookwarden without any of its code: chains, checkpoints, signatures. Exit codes as there.
import { createHash, createPublicKey, verify } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const sha = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest();
const hashOf = (text) => `sha256:${sha(text).toString("hex")}`;
const beginning = { seq: -1, hash: `sha256:${"0".repeat(64)}` };
const quoted = (text) => JSON.stringify(text.toWellFormed());
/** JSON with sorted keys and no white space; lone surrogates become U+FFFD. */
function canonical(value) {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${quoted(key)}:${canonical(value[key])}`).join(",")}}`;
}
/** Reads the records of a file that follow `after`; `judge` says what else is wrong with one. */
function readChain(path, after, judge) {
  let [end, records] = [after, 0];
  try {
    const bytes = path.endsWith(".gz") ? gunzipSync(readFileSync(path)) : readFileSync(path);
    for (let start = 0, stop = 0; start < bytes.length; start = stop + 1) {
      stop = bytes.indexOf(10, start);
      if (stop < 0) return { status: "incomplete", why: "its last line is not finished", records, end };
      const line = bytes.subarray(start, stop);
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
      const record = JSON.parse(text);
      const { hash, ...link } = record.seal;
      if (canonical(record) !== text || Object.keys(record).join() !== "body,seal") throw new Error("not canonical");
      const due = hashOf(`hookwarden-audit-v1\n${canonical({ body: record.body, seal: link })}`);
      const follows = link.seq === end.seq + 1 && link.prev === end.hash;
      const why = judge(record, line, records + 1) ?? (follows ? undefined : "it does not follow the record before");
      if (why || due !== hash) throw new Error(why ?? "its content does not match its hash");
      [end, records] = [record.seal, records + 1];
    }
    return { status: "intact", records, end };
  } catch (error) {
    return { status: "altered", why: `line ${records + 1}: ${error.message}`, records, end };
  }
}
/** A C2SP verifier key: its text, name, installation, epoch, id and key; undefined for another text. */
function readKey(text) {
  const [, name, install, epoch, id, data] = /^(hookwarden\/(\w+)\/epoch-(\d+))\+([0-9a-f]{8})\+(.*)$/.exec(text) ?? [];
  const raw = Buffer.from(data ?? "", "base64");
  const due = sha(`${name}\n`, raw).subarray(0, 4);
  if (raw.length !== 33 || raw[0] !== 1 || due.toString("hex") !== id) return undefined;
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.subarray(1).toString("base64url") };
  return { text, name, install, id: due, epoch: Number(epoch), key: createPublicKey({ key: jwk, format: "jwk" }) };
}
/** The lines of a signed note; undefined when the signature is not one of `key`. Without a key it is not looked at. */
function openNote(note, key) {
  const [, text, name, data] = /^((?:[^\n]+\n)+)\n\u2014 (\S+) (\S+)\n$/.exec(note) ?? [];
  const bytes = Buffer.from(data ?? "", "base64");
  if (!text || bytes.length !== 68 || bytes.toString("base64") !== data) return undefined;
  const holds = () => verify(null, Buffer.from(text), key.key, bytes.subarray(4));
  return !key || (name === key.name && bytes.subarray(0, 4).equals(key.id) && holds()) ? text.split("\n") : undefined;
}
/** A log of checkpoints: what `readChain` says, its hashes by number, and its checkpoints. */
function readLog(path, keys) {
  const log = { hashes: new Map(), points: [] };
  let [epoch, key] = [1, keys.get(1)];
  const judge = ({ body, seal }) => {
    const position = `log ${seal.seq} ${log.hashes.get(seal.seq - 1) ?? beginning.hash}`;
    log.hashes.set(seal.seq, seal.hash);
    if (!["checkpoint", "rotation"].includes(body.event)) return undefined;
    const [origin = "", size, root, seq, head, due, place] = openNote(body.observations.note, key) ?? [];
    const [, install, session, segment] = origin.split("/");
    if (origin === "" || (key && key.install !== install)) return "it is not signed by the key that is due";
    if (body.event === "checkpoint") {
      log.points.push({ session, number: Number(segment), size: Number(size), root, seq, head });
      return due === `epoch ${epoch}` && place === position ? undefined : "it was signed for another place of the log";
    }
    epoch += 1;
    const next = readKey(root.slice("key ".length));
    if (session !== "rotation" || size !== `epoch ${epoch}` || next?.epoch !== epoch) return "a gap in the keys";
    if (keys.has(epoch) && keys.get(epoch).text !== next.text) return "another key of its epoch is known";
    key = key ? next : keys.get(epoch);
  };
  return Object.assign(log, readChain(path, beginning, judge));
}
/** A segment against its checkpoints: the root of the RFC 6962 tree over its lines. `judge` as in `readChain`. */
function readSegment(path, after, points, judge) {
  const [edge, node] = [[], (left, right) => sha(Uint8Array.of(1), left, right)];
  const found = readChain(path, after, ({ body, seal }, line, size) => {
    let hash = sha(Uint8Array.of(0), line);
    for (let rest = size - 1; rest % 2 === 1; rest = Math.floor(rest / 2)) hash = node(edge.pop(), hash);
    edge.push(hash);
    const root = () => edge.reduceRight((right, left) => node(left, right)).toString("base64");
    const agrees = (p) => p.seq === `seq ${seal.seq}` && p.head === `head ${seal.hash}` && p.root === root();
    return points.some((p) => p.size === size && !agrees(p)) ? "not what its checkpoint covers" : judge(body, size);
  });
  if (found.status === "altered" || points.every((p) => p.size <= found.records)) return found;
  return { ...found, status: "altered", why: "records are missing at the end" };
}
/** Checks a folder: the worst status, and its files with a problem. `copy` is a copy of the checkpoints. */
export function verifyFolder(folder, given = [], copy = undefined) {
  const files = [];
  const note = (path, status, why) => files.push({ path, status, why });
  const list = (path, pattern) => (existsSync(path) ? readdirSync(path).filter((name) => pattern.test(name)) : []);
  const read = (path, due, reader) => {
    if (existsSync(path) || due) files.push({ path, status: "altered", why: "it is missing" });
    return existsSync(path) ? Object.assign(files.at(-1), { why: undefined }, reader(path)) : undefined;
  };
  const keyPaths = list(resolve(folder, "../keys"), /^audit-\d+\.pub$/).map((name) => resolve(folder, "../keys", name));
  const beside = keyPaths.map((path) => readKey(readFileSync(path, "utf8").trim())).filter(Boolean);
  if (given.some((text) => !readKey(text))) throw new Error("a given key is not a verifier key");
  const keys = new Map([...beside, ...given.map(readKey)].map((key) => [key.epoch, key]));
  if (beside.some((key) => keys.get(key.epoch).text !== key.text)) note("keys", "altered", "not the given keys");
  const log = read(join(folder, "checkpoints.jsonl"), beside.length > 0, (path) => readLog(path, keys));
  const second = copy && read(copy, false, (path) => readLog(path, keys));
  const lost = [...(second?.hashes ?? [])].some(([seq, hash]) => log?.hashes.get(seq) !== hash);
  if (copy && (lost || !second?.records)) note(copy, lost ? "altered" : "unchecked", "the log holds others");
  const sessions = new Map(list(folder, /^[0-9a-f]{64}$/).map((name) => [name, []]));
  for (const p of [log, second].flatMap((one) => one?.points ?? []))
    sessions.set(p.session, [...(sessions.get(p.session) ?? []), p]);
  const [retired, vouched] = [new Set(), sessions.get("retired") ?? []];
  const retire = ({ event, observations: { retired: gone } }, size) =>
    void (event === "retired" && vouched.some((p) => p.size >= size) && retired.add(gone.session));
  read(join(folder, "retired.jsonl"), vouched.length > 0, (path) => readSegment(path, beginning, vouched, retire));
  for (const [session, own] of sessions) {
    const names = list(join(folder, session), /^\d{6,12}\.jsonl(\.gz)?$/).sort();
    if (session === "retired" || (names.length === 0 && retired.has(session))) continue;
    const last = Math.max(0, ...own.map((p) => p.number), ...names.map((name) => Number.parseInt(name, 10)));
    for (let number = 1, end = beginning; number <= last; number++) {
      const path = join(folder, session, names.find((name) => Number.parseInt(name, 10) === number) ?? `${number}`);
      const judge = (body, size) => {
        if (size === 1 && body.observations.segment?.number !== number) return "it is not the header of this segment";
        if (body.session && hashOf(body.session) !== `sha256:${session}`) return "it is of another session";
      };
      const covering = own.filter((p) => p.number === number);
      const found = read(path, true, () => readSegment(path, end, covering, judge)) ?? { end: beginning };
      if (found.status === "incomplete" && number < last) found.status = "altered";
      end = found.end;
    }
  }
  if (!files.some((f) => f.status !== "intact" || f.records > 0)) note(folder, "unchecked", "there is no record");
  const status = ["altered", "unchecked", "incomplete"].find((s) => files.some((f) => f.status === s)) ?? "intact";
  return { status, problems: files.filter((file) => file.status !== "intact") };
}
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const values = (name) => process.argv.filter((_, i) => process.argv[i - 1] === name);
  process.on("uncaughtException", ({ message }) => process.exit(console.log(`cannot check: ${message}`) ?? 3));
  if (!process.argv[2]) throw new Error("node verify.mjs <folder> [--key <verifier key>]... [--checkpoints <copy>]");
  const { status, problems } = verifyFolder(process.argv[2], values("--key"), values("--checkpoints")[0]);
  console.log([...problems.map((file) => `${file.path}: ${file.status}: ${file.why}`), status].join("\n"));
  process.exitCode = ["intact", "altered", "incomplete", "unchecked"].indexOf(status);
}
