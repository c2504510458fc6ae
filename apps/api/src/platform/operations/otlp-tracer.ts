import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { correlation, type Logger, type TraceParent } from '../logging/logger.js';
import { PRODUCT_VERSION } from '../config/version.js';

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The correlation and command ids of a causing event. */
export interface SpanCause {
  readonly correlationId: string;
  readonly commandId?: string | undefined;
}

export interface RecordedSpan {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly causes: readonly SpanCause[];
}

/** Distributed tracing. The trace id of a request is its correlation id. */
export interface Tracer {
  /** Runs work in a child of the active span, or in a root span of the current correlation id's trace. */
  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Runs work in a span whose id derives from the command id, so that any process can attach spans for its events. */
  inCommand<Result>(commandId: string, work: () => Promise<Result>): Promise<Result>;
  /** Opens a server span around callbacks. @param parent the caller's `traceparent` @returns a function that ends the span */
  enter(name: string, parent: TraceParent | undefined, proceed: () => void): () => void;
  /** Renames the active span. */
  rename(name: string): void;
  /** Records finished work in the trace of every cause, under its command. */
  record(name: string, attributes: SpanAttributes, span: RecordedSpan): void;
  /** Flushes and shuts down. */
  stop(): Promise<void>;
}

const SEND_EVERY_MS = 1_000;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;
/** Keeps a collector outage from flooding the log. */
const WARN_INTERVAL_MS = 60_000;
/** Rebuild batches carry thousands of events, none of which anyone waits for. */
const MAX_TRACES_PER_BATCH = 32;

export interface OtlpTracerOptions {
  readonly endpoint: string;
  /** `name=value,name=value` */
  readonly headers: string;
  /** Sampling ratio from 0 to 1. */
  readonly ratio: number;
  readonly process: string;
  readonly logger: Logger;
}

/** A correlation id is a UUID of the size of a trace id, so every process derives one from the other. */
function traceIdOf(correlationId: string | undefined): string {
  const id = correlationId?.replaceAll('-', '') ?? '';
  return TRACE_ID.test(id) ? id : randomBytes(16).toString('hex');
}

/** The second half of the command id, which every process can derive. */
function spanIdOf(commandId: string | undefined): string | undefined {
  const id = commandId?.replaceAll('-', '').slice(16) ?? '';
  return SPAN_ID.test(id) ? id : undefined;
}

class SpanIds implements IdGenerator {
  /** Id for the span being started. */
  private next: string | undefined;

  generateTraceId(): string {
    return traceIdOf(correlation.getStore()?.correlationId);
  }

  generateSpanId(): string {
    return this.next ?? randomBytes(8).toString('hex');
  }

  withSpanId<Begun>(spanId: string | undefined, begin: () => Begun): Begun {
    this.next = spanId;
    try {
      return begin();
    } finally {
      this.next = undefined;
    }
  }
}

/** Wraps an exporter to log failures, at most once a minute with their count. */
export function withFailureLog(
  exporter: SpanExporter,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): SpanExporter {
  let loggedAt = -Infinity;
  let failures = 0;
  const report = (error: Failure): void => {
    failures += 1;
    if (now() - loggedAt < WARN_INTERVAL_MS) return;
    logger.warn({ reason: reasonOf(error), times: failures }, 'could not export traces');
    loggedAt = now();
    failures = 0;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) report(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

type Failure = Error & { readonly code?: string | number };

/** The connection error or HTTP status is in properties, not in the message. */
function reasonOf({ message, code, cause }: Failure): string {
  const parts = [message, code, cause instanceof Error ? cause.message : undefined];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Manual instrumentation with OpenTelemetry, without a module loader hook. */
export class OtlpTracer implements Tracer {
  private readonly ids = new SpanIds();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: OtelTracer;
  private readonly active = new AsyncLocalStorage<Span>();

  constructor({ endpoint, headers, ratio, process, logger }: OtlpTracerOptions) {
    // Failures are logged by `withFailureLog`.
    diag.disable();
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      headers: parseHeaders(headers),
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': `nimo-${process}`,
        'service.version': PRODUCT_VERSION,
        'service.instance.id': randomUUID(),
      }),
      idGenerator: this.ids,
      // By trace id only, so that all processes sample the same traces and callers cannot force sampling.
      sampler: new TraceIdRatioBasedSampler(ratio),
      spanProcessors: [
        new BatchSpanProcessor(withFailureLog(exporter, logger), { scheduledDelayMillis: SEND_EVERY_MS }),
      ],
    });
    this.tracer = this.provider.getTracer('nimo');
  }

  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    return this.within(this.open(name, attributes), work);
  }

  inCommand<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
    const open = (): Span => this.open('command', { 'nimo.command': commandId });
    return this.within(this.ids.withSpanId(spanIdOf(commandId), open), work);
  }

  private within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
    return this.active.run(span, async () => {
      try {
        return await work();
      } catch (error) {
        // Type only: a message may contain user input.
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  enter(name: string, parent: TraceParent | undefined, proceed: () => void): () => void {
    const context = parent ? remoteContext(parent.traceId, parent.spanId) : ROOT_CONTEXT;
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER }, context);
    this.active.run(span, proceed);
    return () => span.end();
  }

  rename(name: string): void {
    this.active.getStore()?.updateName(name);
  }

  record(name: string, attributes: SpanAttributes, { startedAt, causes }: RecordedSpan): void {
    const distinct = new Map(causes.map((cause) => [`${cause.correlationId} ${cause.commandId}`, cause]));
    for (const cause of [...distinct.values()].slice(0, MAX_TRACES_PER_BATCH)) {
      correlation.run({ correlationId: cause.correlationId }, () => {
        const options = { attributes, startTime: startedAt, kind: SpanKind.CONSUMER };
        this.tracer.startSpan(name, options, contextOf(cause)).end();
      });
    }
  }

  async stop(): Promise<void> {
    // Export failures are already logged and must not prevent the shutdown.
    await this.provider.shutdown().catch(() => undefined);
  }

  private open(name: string, attributes: SpanAttributes): Span {
    const parent = this.active.getStore();
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return this.tracer.startSpan(name, { attributes }, context);
  }
}

const remoteContext = (traceId: string, spanId: string): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

function contextOf({ correlationId, commandId }: SpanCause): Context {
  const spanId = spanIdOf(commandId);
  return spanId === undefined ? ROOT_CONTEXT : remoteContext(traceIdOf(correlationId), spanId);
}

function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}
