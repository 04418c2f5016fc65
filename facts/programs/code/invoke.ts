import type { Context } from "./context.ts";
import type { Collector } from "./findings.ts";
import type { CodeCall } from "./language.ts";
import { knownText, unknown, type Value } from "./values.ts";

type List = Extract<Value, { kind: "list" }>;

/**
 * Evaluates a call: by the tables of the language, as a method of a value, or as a function that the code itself defines. Any
 * other call is a doubt, and paths and addresses in its arguments may be read, written or reached.
 */
export function callOf(callee: Value, list: List, context: Context, scan: (code: string) => void): Value {
  const { language, to } = context;
  if (callee.kind !== "name") {
    to.doubt("it calls what is not known");
    possible(list, context);
    return unknown;
  }
  const { name, on } = callee;
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (decoding.test(last) && !plainBuffer(name, list)) to.decodes = true;
  if (sqlMethods.has(last) && (on !== undefined || name.includes("."))) statement(list.items[0], to);
  if (on === undefined) {
    const action = context.find(language.calls, name) ?? context.find(language.folds, name);
    if (action) return action(new BoundCall(name, list, undefined, context, scan)) ?? unknown;
    if (context.isPure(name) || context.defined.has(name)) return unknown;
    if (!name.includes(".") || context.isModule(name)) return strange(name, list, context);
  }
  const method = name.slice(name.lastIndexOf(".") + 1);
  const action = language.methods.get(method);
  if (action) return action(new BoundCall(method, list, on ?? unknown, context, scan)) ?? unknown;
  if (language.pureMethods.has(method) || context.defined.has(method)) return unknown;
  return strange(method, list, context);
}

/** Calls that decode what they are given, by the last part of their names. */
const decoding =
  /^(?:(?:standard_|urlsafe_)?b(?:16|32|64|85)decode|a2b_\w+|unhexlify|fromhex|base64_decode|hex2bin|str_rot13|gzinflate|gzuncompress|gzdecode|decode_base64|(?:strict_|urlsafe_)?decode64|atob|unpack1?|pack|from|rot13)$/;

/** `Buffer.from(text)` decodes only with an encoding; other things named `from` and `pack` are judged by theirs. */
function plainBuffer(name: string, list: List): boolean {
  const [first, second] = list.items;
  if (/(?:^|\.)from$/.test(name)) return !/^(?:base64(?:url)?|hex)$/.test(knownText(second) ?? "");
  return /(?:^|\.)pack$/.test(name) && !/^[Hhmu]/.test(knownText(first) ?? "");
}

/** Methods of database clients that take a statement. */
const sqlMethods: ReadonlySet<string> = new Set(
  "execute executemany executescript query raw exec run prepare do unsafe executeQuery executeUpdate exec_query select_all multi_query real_query $executeRawUnsafe $queryRawUnsafe sql".split(
    " ",
  ),
);

function statement(value: Value | undefined, to: Collector): void {
  const text = value?.kind === "text" ? value.text : "";
  if (/^\s*(?:drop|truncate|delete|update|alter|grant|revoke|begin|with)\b/i.test(text.slice(0, 256)))
    to.add({ kind: "sql", text });
}

/** One call as an action sees it. */
class BoundCall implements CodeCall {
  readonly name: string;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly on: Value | undefined;
  readonly to: Collector;
  private readonly scan: (code: string) => void;

  constructor(name: string, list: List, on: Value | undefined, context: Context, scan: (code: string) => void) {
    this.name = name;
    this.args = list.items;
    this.named = namesOf(list);
    this.on = on;
    this.to = context.to;
    this.scan = scan;
  }

  evaluate(code: Value): void {
    const text = knownText(code);
    if (this.to.muted === 0) this.to.evaluates = true;
    if (text === undefined) {
      if (this.to.muted === 0) this.to.runsUnknown = true;
      this.to.doubt("it runs code that is not known");
    } else if (this.to.muted === 0) this.scan(text);
  }
}

/** Named arguments, and the fields of objects given as arguments. */
function namesOf(list: List): ReadonlyMap<string, Value> {
  const objects = list.items.filter(isObject);
  return objects.length === 0 ? list.named : new Map([...objects.flatMap((item) => [...item.named]), ...list.named]);
}

function isObject(item: Value): item is List {
  return item.kind === "list" && item.named.size > 0;
}

function strange(name: string, list: List, context: Context): Value {
  context.to.doubt(`\`${name.slice(0, 60)}\` is not in the tables`);
  possible(list, context);
  return unknown;
}

function possible(list: List, context: Context): void {
  for (const item of list.items.slice(0, 16)) {
    const text = knownText(item);
    if (text === undefined || item.kind !== "text" || text.length > 4096) continue;
    if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) context.to.network(item, "both", false);
    else if (/^(?=[^\s\0]*$)[^/]*\//.test(text) || /^[.~][^\s\0]+$/.test(text)) {
      context.to.read(item, { certain: false });
      context.to.write(item, false);
    }
  }
}
