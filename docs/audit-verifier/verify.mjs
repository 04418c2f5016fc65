// Checks an audit folder of hookwarden without any of its code: chains, checkpoints, signatures. Exit codes as there.
import { createHash, createPublicKey, verify } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
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
    const status = error.syscall ? "unchecked" : "altered";
    return { status, why: `line ${records + 1}: ${error.message}`, records, end };
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
/** Where a copy that was begun later goes on from: what its first record says. */
function beginningOf(path) {
  try {
    const { body, seal } = JSON.parse(readFileSync(path, "utf8").split("\n")[0]);
    const epoch = Math.max(1, Number(body.observations.epoch) - (body.event === "rotation" ? 1 : 0));
    if (seal.seq > 0) return { seq: seal.seq - 1, hash: seal.prev, epoch };
  } catch {}
  return { ...beginning, epoch: 1 };
}
/** The text of a checkpoint and of a rotation, line by line: nothing else stands there. */
const time = String.raw`time \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const hash = "sha256:[0-9a-f]{64}";
const checkpointText = new RegExp(
  String.raw`^hookwarden/[0-9a-f]{16}/[A-Za-z0-9][\w.-]{0,127}/(?!0+\n)(\d{6}|[1-9]\d{6,11})\n(0|[1-9]\d*)\n[\w+/]{43}=\n` +
    String.raw`seq (0|[1-9]\d*)\nhead ${hash}\nepoch [1-9]\d*\nlog (0|[1-9]\d*) ${hash}\n${time}\n$`,
);
const rotationText = new RegExp(String.raw`^hookwarden/[0-9a-f]{16}/rotation\nepoch \d+\nkey \S+\n${time}\n$`);
/** A log of checkpoints: what `readChain` says, its hashes by number, and its checkpoints. */
function readLog(path, keys, after) {
  const log = { hashes: new Map(), points: [] };
  let [epoch, key] = [after.epoch, keys.get(after.epoch)];
  const judge = ({ body, seal }) => {
    const position = `log ${seal.seq} ${log.hashes.get(seal.seq - 1) ?? after.hash}`;
    log.hashes.set(seal.seq, seal.hash);
    if (body.event === "copy_failed" || (body.event === "begun" && seal.seq === 0)) return undefined;
    const [origin = "", size, root, seq, head, due, place] = openNote(body.observations.note, key) ?? [];
    const [, install, session, segment] = origin.split("/");
    const form = body.event === "checkpoint" ? checkpointText : rotationText;
    if (!form.test(body.observations.note?.split("\n\n")[0].concat("\n"))) return "its note is none of ours";
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
  return Object.assign(log, readChain(path, after, judge));
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
const segmentName = /^(?!0+\.)(?:\d{6}|[1-9]\d{6,11})\.jsonl(\.gz)?$/;
const lock = "\\.lock(\\.break){0,3}";
const folderNames = new RegExp(
  `^([0-9a-f]{64}(${lock})?|(checkpoints|retired)\\.jsonl(\\.torn-\\d{1,5}|${lock})?|checkpoints${lock}|owners|` +
    "retiring-[0-9a-f]{64}|\\.[0-9a-z.]+\\.tmp)$",
);
const sessionNames = /^((?!0+\.)\d{6,12}\.jsonl\.torn-\d{1,5}|state\.json|lost|\.[0-9a-z.]+\.tmp)$/;
/** What stands at a path, itself or behind a link; undefined where nothing does. */
const look = (path, stat = statSync) => {
  try {
    return stat(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code)) return undefined;
    throw error;
  }
};
/** What no trail has, of one name in the folder: other names, links, sessions without a segment, a second file of a segment. */
function strangeIn(folder, name) {
  const isLink = (path) => lstatSync(path).isSymbolicLink();
  if (!folderNames.test(name)) return [name];
  if (!/^[0-9a-f]{64}$/.test(name)) return isLink(join(folder, name)) ? [name] : [];
  const names = look(join(folder, name))?.isDirectory() ? readdirSync(join(folder, name)) : [];
  const segments = names.filter((one) => segmentName.test(one));
  const second = (one) => one.endsWith(".gz") && names.includes(one.slice(0, -3));
  const known = (one) => (segments.includes(one) ? !second(one) : sessionNames.test(one));
  const own = names.filter((one) => !known(one) || isLink(join(folder, name, one))).map((one) => `${name}/${one}`);
  return isLink(join(folder, name)) || segments.length === 0 ? [name, ...own] : own;
}
/** Checks a folder: the worst status, and its files with a problem. `copy` is a copy of the checkpoints. */
export function verifyFolder(folder, given = [], copy = undefined) {
  const files = [];
  const note = (path, status, why) => files.push({ path, status, why });
  const isFolder = (path) => look(path)?.isDirectory();
  const list = (path, pattern) => (isFolder(path) ? readdirSync(path).filter((name) => pattern.test(name)) : []);
  const read = (path, due, reader) => {
    const found = look(path, lstatSync);
    if (found || due) note(path, "altered", found ? "it is not a regular file" : "it is missing");
    if (!look(path)?.isFile()) return undefined;
    return Object.assign(files.at(-1), { why: undefined }, reader(path));
  };
  const keyPaths = list(resolve(folder, "../keys"), /^audit-\d+\.pub$/).map((name) => resolve(folder, "../keys", name));
  const beside = keyPaths.map((path) => readKey(readFileSync(path, "utf8").trim())).filter(Boolean);
  if (given.some((text) => !readKey(text))) throw new Error("a given key is not a verifier key");
  const keys = new Map([...beside, ...given.map(readKey)].map((key) => [key.epoch, key]));
  if (beside.some((key) => keys.get(key.epoch).text !== key.text)) note("keys", "altered", "not the given keys");
  const log = read(join(folder, "checkpoints.jsonl"), beside.length > 0, (path) =>
    readLog(path, keys, { ...beginning, epoch: 1 }),
  );
  if (log?.status === "intact" && log.records === 0)
    Object.assign(log, { status: "unchecked", why: "it holds no record" });
  const second = copy && read(copy, false, (path) => readLog(path, keys, beginningOf(path)));
  if (copy && !second && files.at(-1).path === copy) files.pop();
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
    const names = list(join(folder, session), segmentName).sort();
    if (session === "retired" || (names.length === 0 && retired.has(session))) continue;
    const last = Math.max(0, ...own.map((p) => p.number), ...names.map((name) => Number.parseInt(name, 10)));
    for (let number = 1, end = beginning; number <= last; number++) {
      const path = join(folder, session, names.find((name) => Number.parseInt(name, 10) === number) ?? `${number}`);
      const judge = (body, size) => {
        if (size === 1 && (body.event !== "segment" || body.observations.segment?.number !== number))
          return "it is not the header of this segment";
        if (body.session && hashOf(body.session) !== `sha256:${session}`) return "it is of another session";
      };
      const covering = own.filter((p) => p.number === number);
      const found = read(path, true, () => readSegment(path, end, covering, judge)) ?? { end: beginning };
      if (found.status === "incomplete" && number < last) found.status = "altered";
      end = found.end;
    }
  }
  const strange = list(folder, /^/)
    .flatMap((name) => strangeIn(folder, name))
    .sort();
  if (!files.some((f) => f.status !== "intact" || f.records > 0)) note(folder, "unchecked", "there is no record");
  const status = ["altered", "unchecked", "incomplete"].find((s) => files.some((f) => f.status === s)) ?? "intact";
  return { status, problems: files.filter((file) => file.status !== "intact"), strange };
}
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const values = (name) => process.argv.filter((_, i) => process.argv[i - 1] === name);
  process.on("uncaughtException", ({ message }) => process.exit(console.log(`cannot check: ${message}`) ?? 3));
  if (!process.argv[2]) throw new Error("node verify.mjs <folder> [--key <verifier key>]... [--checkpoints <copy>]");
  const { status, problems } = verifyFolder(process.argv[2], values("--key"), values("--checkpoints")[0]);
  console.log([...problems.map((file) => `${file.path}: ${file.status}: ${file.why}`), status].join("\n"));
  process.exitCode = ["intact", "altered", "incomplete", "unchecked"].indexOf(status);
}
