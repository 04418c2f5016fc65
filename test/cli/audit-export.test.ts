import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, describe, expect, it } from "vitest";
import { csvHeader, csvRow } from "../../cli/audit/csv.ts";
import { ocsfEvent, ocsfVersion } from "../../cli/audit/ocsf.ts";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import { call, demoPolicy, run, Scratch } from "./run.ts";

/** `audit export`: OTLP, OCSF and CSV. */
const scratch = new Scratch();

const policy = demoPolicy.replace(
  "rules:\n",
  "rules:\n  - { id: asks, event: [tool_call, user_bash], tool: bash, each: { c: shell.commands }, when: { c.program: git }, action: ask, reason: git asks }\n",
);

async function trail(): Promise<void> {
  scratch.put("p.yaml", policy);
  const stdin =
    call("touch FORBIDDEN", { id: "a", call_id: "c1", host: "pi", session: { id: "s" } }) +
    call("git status", { id: "b", host: "pi", session: { id: "s" } }) +
    call("ls", { id: "c", host: "pi", session: { id: "s" } }) +
    `${JSON.stringify({ event: "approval", of: "b", answer: "allow" })}\n`;
  const ran = await run(["eval", "-p", "p.yaml", "--audit", "t.jsonl"], { cwd: scratch.path, stdin });
  expect(ran).toMatchObject({ code: 0, err: "" });
}

const exported = (...args: string[]) => run(["audit", "export", ...args], { cwd: scratch.path });

const records = (): AuditRecord[] =>
  readFileSync(join(scratch.path, "t.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as AuditRecord);

describe("audit export --to csv", () => {
  it("has a header and a row for each record, with lines that end as RFC 4180 says", async () => {
    await trail();
    const ran = await exported("t.jsonl", "--to", "csv");
    expect(ran).toMatchObject({ code: 0, err: "4 records exported\n" });
    const rows = ran.out.split("\r\n");
    expect(rows).toHaveLength(6);
    expect(`${rows[0]}\r\n`).toBe(csvHeader());
    expect(rows[1]).toContain(",s,0,decision,tool_call,a,");
    expect(rows[1]).toContain(",bash,c1,block,rule,demo/no-forbidden,the file is forbidden,");
    expect(rows[4]).toContain(",approval,approval,approval:b,");
  });

  it.each<[string, string, string]>([
    ["a formula", "=1+1", "'=1+1"],
    ["a formula with +", "+1", "'+1"],
    ["a formula with -", "-1", "'-1"],
    ["a formula with @", "@a", "'@a"],
    ["a formula behind a tab", "\t=1", "'\t=1"],
    ["a formula behind a carriage return", "\r=1", `"'\r=1"`],
    ["a comma", "a,b", '"a,b"'],
    ["a quote", 'a"b', '"a""b"'],
    ["a quoted formula", '=a,"b"', `"'=a,""b"""`],
    ["a line break", "a\nb", '"a\nb"'],
    ["a minus inside", "a-1", "a-1"],
  ])("guards and quotes a cell with %s", async (_, reason, cell) => {
    await trail();
    const [first] = records() as [AuditRecord];
    expect(csvRow({ ...first, body: { ...first.body, reason } })).toContain(`,demo/no-forbidden,${cell},`);
  });
});

const integer = { type: "integer" };
const string = { type: "string", minLength: 1 };
const oneOf = (...names: string[]): object[] => names.map((name) => ({ required: [name] }));

/**
 * Required attributes and enumerations of the two classes, their objects and the profile `security_control`, written from
 * the specification of OCSF 1.3.0.
 */
const actor = {
  type: "object",
  anyOf: oneOf("process", "user", "invoked_by", "session", "app_name", "app_uid"),
  properties: { session: { type: "object" }, app_name: string, app_uid: string },
  additionalProperties: false,
};
const api = {
  type: "object",
  required: ["operation"],
  properties: {
    operation: string,
    service: { type: "object", required: ["name"] },
    request: { type: "object", required: ["uid"], properties: { uid: { type: "string" } } },
  },
  additionalProperties: false,
};
const endpoint = {
  type: "object",
  anyOf: oneOf("ip", "uid", "name", "hostname", "svc_name"),
  properties: { svc_name: string },
};
const base = {
  type: "object",
  required: [
    "activity_id",
    "category_uid",
    "class_uid",
    "metadata",
    "severity_id",
    "time",
    "type_uid",
    "action_id",
    "disposition_id",
  ],
  properties: {
    time: integer,
    message: { type: "string" },
    severity_id: { enum: [0, 1, 2, 3, 4, 5, 6, 99] },
    action_id: { enum: [0, 1, 2] },
    disposition_id: { enum: [...Array.from({ length: 28 }, (_, i) => i), 99] },
    metadata: {
      type: "object",
      required: ["product", "version"],
      properties: {
        version: { const: "1.3.0" },
        profiles: { const: ["security_control"] },
        product: { type: "object", required: ["vendor_name"], properties: { name: string, vendor_name: string } },
        sequence: integer,
        logged_time: integer,
      },
    },
    unmapped: { type: "object" },
  },
};
const common = [
  "activity_id activity_name category_uid category_name class_uid class_name type_uid type_name time message severity_id",
  "severity action_id action disposition_id disposition metadata unmapped",
]
  .join(" ")
  .split(" ");
const only = (...names: string[]): object => ({ propertyNames: { enum: [...common, ...names] } });
const findingClass = {
  allOf: [base, only("status_id", "status", "finding_info", "resources", "evidences")],
  required: ["finding_info"],
  properties: {
    class_uid: { const: 2004 },
    category_uid: { const: 2 },
    activity_id: { enum: [0, 1, 2, 3, 99] },
    type_uid: { const: 200_401 },
    status_id: { enum: [0, 1, 2, 3, 4, 5, 99] },
    finding_info: {
      type: "object",
      required: ["title", "uid"],
      properties: {
        title: string,
        uid: string,
        created_time: integer,
        analytic: { type: "object", required: ["type_id"], properties: { type_id: { enum: [0, 1, 2, 3, 4, 99] } } },
      },
    },
    evidences: { type: "array", items: { type: "object", properties: { actor, api, src_endpoint: endpoint } } },
  },
};
const activityClass = {
  allOf: [base, only("actor", "api", "src_endpoint")],
  required: ["actor", "api", "src_endpoint"],
  properties: {
    class_uid: { const: 6003 },
    category_uid: { const: 6 },
    activity_id: { enum: [0, 1, 2, 3, 4, 99] },
    type_uid: { const: 600_399 },
    actor,
    api,
    src_endpoint: endpoint,
  },
};
const ajv = new Ajv({ allErrors: true, strict: false });
const fits = ajv.compile({
  oneOf: [
    { allOf: [findingClass], required: ["finding_info"] },
    { allOf: [activityClass], not: { required: ["finding_info"] } },
  ],
});

describe("audit export --to ocsf", () => {
  it("makes findings of what was stopped or asked about, activities of the rest, and fits the schema", async () => {
    await trail();
    const ran = await exported("t.jsonl", "--to", "ocsf");
    expect(ran.code).toBe(0);
    const events = ran.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const event of events) expect([fits(event), fits.errors]).toEqual([true, null]);
    const told = events.map((e) => [
      e["class_uid"],
      e["type_uid"],
      e["action_id"],
      e["disposition_id"],
      e["severity_id"],
    ]);
    expect(told).toEqual([
      [2004, 200_401, 2, 2, 3],
      [2004, 200_401, 0, 99, 2],
      [6003, 600_399, 1, 1, 1],
      [6003, 600_399, 1, 8, 1],
    ]);
    expect(events[0]).toMatchObject({
      message: "the file is forbidden",
      metadata: { version: ocsfVersion, sequence: 0, correlation_uid: "s" },
      finding_info: { title: "the file is forbidden", analytic: { uid: "demo/no-forbidden" } },
      unmapped: { outcome: "block", seal: { seq: 0 } },
    });
  });

  it("fits for every kind of record, and keeps every field of it", async () => {
    await trail();
    const [first] = records() as [AuditRecord];
    const kinds: Partial<AuditBody>[] = [
      { outcome: "block", answered: "error", errors: [{ code: "HW502", message: "x" }] },
      { kind: "note", event: "gap", outcome: "allow", note: "two records were lost", host: "", session: "", agent: "" },
      { kind: "approval", approval: { of: "a", answer: "deny", by: "user", key: "k", remember: "never" } },
      { outcome: "allow", transforms: [{ rule: "p/r", action: "redact", before: "a", after: "b" }] },
      { outcome: "ask", answered: "default" },
    ];
    for (const kind of kinds) {
      const body = { ...first.body, ...kind } as AuditBody;
      const event = ocsfEvent({ ...first, body });
      expect([fits(event), fits.errors, kind]).toEqual([true, null, kind]);
      const { unmapped } = event as { unmapped: object };
      const elsewhere = ["host", "session", "agent", "tool", "call_id", "reason", "note", "engine"];
      expect(Object.keys(unmapped).sort()).toEqual(
        [...Object.keys(body).filter((name) => !elsewhere.includes(name)), "seal"].sort(),
      );
    }
  });
});

interface Otlp {
  readonly resourceLogs: {
    readonly resource: { readonly attributes: { readonly key: string; readonly value: object }[] };
    readonly scopeLogs: { readonly scope: { readonly name: string }; readonly logRecords: OtlpRecord[] }[];
  }[];
}

interface OtlpRecord {
  readonly timeUnixNano: string;
  readonly severityText: string;
  readonly eventName?: string;
  readonly body: { readonly kvlistValue: { readonly values: { readonly key: string }[] } };
  readonly attributes: { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

function logRecords(request: string): OtlpRecord[] {
  const { resourceLogs } = JSON.parse(request) as Otlp;
  return resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((scope) => scope.logRecords));
}

const attribute = (record: OtlpRecord | undefined, key: string): string | undefined =>
  record?.attributes.find((one) => one.key === key)?.value.stringValue;

describe("audit export --to otlp", () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

  /** A collector on loopback that keeps what it gets. */
  async function collector(status: number, reply: string): Promise<{ address: string; bodies: string[] }> {
    const bodies: string[] = [];
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString("utf8");
      });
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(reply);
      });
    });
    await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
    return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`, bodies };
  }

  it("writes one request with every record, as the conventions name things", async () => {
    await trail();
    const ran = await exported("t.jsonl", "--to", "otlp", "-o", "logs.jsonl");
    expect(ran).toEqual({ code: 0, out: "", err: "4 records exported\n" });
    const text = readFileSync(join(scratch.path, "logs.jsonl"), "utf8");
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({
      resourceLogs: [{ scopeLogs: [{ scope: { name: "hookwarden.audit" } }] }],
    });
    const found = logRecords(text);
    const [first] = found;
    expect(found.map(({ severityText }) => severityText)).toEqual(["WARN", "WARN", "INFO", "INFO"]);
    expect(BigInt(first?.timeUnixNano ?? 0)).toBe(BigInt(Date.parse(records()[0]?.seal.written ?? "")) * 1_000_000n);
    expect(attribute(first, "gen_ai.tool.name")).toBe("bash");
    expect(attribute(first, "gen_ai.tool.call.id")).toBe("c1");
    expect(attribute(first, "gen_ai.conversation.id")).toBe("s");
    expect(attribute(first, "hookwarden.rule")).toBe("demo/no-forbidden");
    expect(first?.body.kvlistValue.values.map(({ key }) => key).sort()).toEqual(["body", "seal"]);
    const again = await exported("t.jsonl", "--to", "otlp");
    expect(again.out).toBe(text);
  });

  it("sends to a collector", async () => {
    await trail();
    const { address, bodies } = await collector(200, "{}");
    const ran = await exported("t.jsonl", "--to", "otlp", "--endpoint", address, "--outcome", "block");
    expect(ran).toEqual({ code: 0, out: "", err: "1 record exported\n" });
    expect(bodies.flatMap(logRecords)).toHaveLength(1);
  });

  it.each<[string, number, string, string]>([
    ["answers with an error", 503, "", "answered with status 503"],
    ["redirects", 302, "", "cannot be reached"],
    ["takes only some", 200, '{"partialSuccess":{"rejectedLogRecords":"2"}}', "refused 2 records"],
  ])("says so where the collector %s", async (_, status, reply, message) => {
    await trail();
    const { address } = await collector(status, reply);
    const ran = await exported("t.jsonl", "--to", "otlp", "--endpoint", address);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
  });
});

describe("audit export", () => {
  it("writes a private file whole, and keeps one that is there unless forced", async () => {
    await trail();
    const file = join(scratch.path, "out.csv");
    expect((await exported("t.jsonl", "--to", "csv", "-o", "out.csv")).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = await exported("t.jsonl", "--to", "csv", "-o", "out.csv", "--rule", "asks");
    expect(again.code).toBe(2);
    expect(again.err).toContain("`out.csv` exists; `--force` overwrites it");
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(6);
    expect((await exported("t.jsonl", "--to", "csv", "-o", "out.csv", "--rule", "asks", "--force")).code).toBe(0);
    expect(readFileSync(file, "utf8").split("\r\n")).toHaveLength(3);
    expect(readdirSync(scratch.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("leaves nothing behind where the folder is missing", async () => {
    await trail();
    const ran = await exported("t.jsonl", "--to", "csv", "-o", "none/out.csv");
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("error[HW702]: cannot export");
    expect(existsSync(join(scratch.path, "none"))).toBe(false);
  });

  it.each<[string, string[], string]>([
    ["another form than the three", ["t.jsonl", "--to", "xml"], "Allowed choices are otlp, ocsf, csv"],
    ["no form", ["t.jsonl"], "required option"],
    ["a collector for CSV", ["t.jsonl", "--to", "csv", "--endpoint", "http://127.0.0.1:1/"], "`--endpoint` is for"],
    ["an address that is none", ["t.jsonl", "--to", "otlp", "--endpoint", "file:///x"], "is no address of a collector"],
    ["a trail that is not there", ["absent", "--to", "csv"], "`absent` cannot be read"],
  ])("refuses %s", async (_, args, message) => {
    const ran = await exported(...args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
  });
});
