import { type AnyValue, type LogAttributes, type Logger, SeverityNumber } from "@opentelemetry/api-logs";
import { JsonLogsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { LoggerProvider, type LogRecordProcessor, type ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import { engineVersion } from "../../schema/version.ts";

/** Records in one request. */
const batchSize = 512;

/** Writes records as OTLP logs. */
export interface OtlpExport {
  /** Adds a record; settles when the next one may come. Rejects if a due request failed. */
  add(record: AuditRecord): Promise<void>;
  /** Sends the remaining records. */
  close(): Promise<void>;
}

/**
 * Exports records through the logs API of OpenTelemetry, each as one event whose body is the whole record. Attributes follow
 * the conventions for generative AI if they have a name. `send` gets requests in the JSON form of OTLP (`LogsData`), each
 * one line.
 */
export function otlpExport(send: (request: string) => Promise<void>): OtlpExport {
  const held = new HeldRecords();
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ "service.name": "hookwarden", "service.version": engineVersion }),
    processors: [held],
    logRecordLimits: { attributeCountLimit: 128, attributeValueLengthLimit: Number.POSITIVE_INFINITY },
  });
  const logger = provider.getLogger("hookwarden.audit", engineVersion);
  const flush = async (): Promise<void> => {
    const records = held.take();
    if (records.length === 0) return;
    const request = JsonLogsSerializer.serializeRequest(records);
    if (!request) throw new Error("the records could not be written as OTLP");
    await send(new TextDecoder().decode(request));
  };
  return {
    async add(record) {
      emit(logger, record);
      if (held.size >= batchSize) await flush();
    },
    async close() {
      await flush();
      await provider.shutdown();
    },
  };
}

/** Keeps emitted records until they are taken: the reader decides when a request is due, not a timer. */
class HeldRecords implements LogRecordProcessor {
  #records: ReadableLogRecord[] = [];

  get size(): number {
    return this.#records.length;
  }

  onEmit(record: ReadableLogRecord): void {
    this.#records.push(record);
  }

  take(): ReadableLogRecord[] {
    const taken = this.#records;
    this.#records = [];
    return taken;
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}

function emit(logger: Logger, record: AuditRecord): void {
  const { body, seal } = record;
  const written = new Date(seal.written);
  const severityNumber = severityOf(body);
  logger.emit({
    eventName: `hookwarden.${body.kind ?? "decision"}`,
    timestamp: written,
    observedTimestamp: written,
    severityNumber,
    severityText: SeverityNumber[severityNumber] ?? "",
    // A record is plain JSON, which is a valid body.
    body: record as unknown as AnyValue,
    attributes: attributesOf(record),
  });
}

function severityOf({ kind, outcome, answered }: AuditBody): SeverityNumber {
  if (kind === "note" || outcome === "allow") return SeverityNumber.INFO;
  return answered === "error" ? SeverityNumber.ERROR : SeverityNumber.WARN;
}

function attributesOf({ body, seal }: AuditRecord): LogAttributes {
  const given: LogAttributes = {
    "gen_ai.operation.name": body.event === "tool_call" || body.event === "tool_result" ? "execute_tool" : undefined,
    "gen_ai.tool.name": body.tool,
    "gen_ai.tool.call.id": body.call_id,
    "gen_ai.conversation.id": body.session || undefined,
    "gen_ai.agent.id": body.agent || undefined,
    "hookwarden.event": body.event,
    "hookwarden.event.id": body.id,
    "hookwarden.event.digest": body.event_digest,
    "hookwarden.host": body.host || undefined,
    "hookwarden.outcome": body.outcome,
    "hookwarden.answered": body.answered,
    "hookwarden.rule": body.rule,
    "hookwarden.reason": body.reason,
    "hookwarden.matched": namesOf(body.matched),
    "hookwarden.would": namesOf(body.would),
    "hookwarden.labels.added": body.state?.labels,
    "hookwarden.errors": body.errors.map(({ code }) => code),
    "hookwarden.policy.digest": body.policy_digest,
    "hookwarden.latency_us": seal.latency_us,
    "hookwarden.seq": seal.seq,
    "hookwarden.hash": seal.hash,
  };
  const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)));
}

function namesOf(matches: AuditBody["matched"]): string[] {
  return matches.map(({ rule, outcome }) => `${rule} ${outcome}`);
}
