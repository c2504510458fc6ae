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

/** What something was done for, as its event names it. */
export interface SpanCause {
  readonly correlationId: string;
  readonly commandId?: string | undefined;
}

export interface RecordedSpan {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly causes: readonly SpanCause[];
}

/** Where time goes, told to a collector. The trace of a request has its correlation id. */
export interface Tracer {
  /** Part of the span that is open, otherwise a root of the trace of the correlation id at hand. */
  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Has an id that every process can tell from the command's: what is recorded for its events hangs on it. */
  inCommand<Result>(commandId: string, work: () => Promise<Result>): Promise<Result>;
  /** A request, which goes on by callbacks. @param parent `traceparent` of whoever sent it. @returns what ends the span */
  enter(name: string, parent: TraceParent | undefined, proceed: () => void): () => void;
  /** Names the open span, once it is known what it is about. */
  rename(name: string): void;
  /** What is done already, in the trace and under the command of everything that caused it. */
  record(name: string, attributes: SpanAttributes, span: RecordedSpan): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const SEND_EVERY_MS = 1_000;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;
/** A collector that is away for a night is no news every second. */
const TELL_EVERY_MS = 60_000;
/** A batch of a rebuild carries thousands of events, and nobody waits for any of them. */
const MAX_TRACES_PER_BATCH = 32;

export interface OtlpTracerOptions {
  readonly endpoint: string;
  /** `name=value,name=value` */
  readonly headers: string;
  /** How many of all traces are sent, from 0 to 1. */
  readonly ratio: number;
  readonly process: string;
  readonly logger: Logger;
}

/** A correlation id is a UUID, and as many bytes as a trace id: whoever has the one has the other, in every process. */
function traceIdOf(correlationId: string | undefined): string {
  const id = correlationId?.replaceAll('-', '') ?? '';
  return TRACE_ID.test(id) ? id : randomBytes(16).toString('hex');
}

/** The second half of a command's id, so that each process knows on what to hang what follows from it. */
function spanIdOf(commandId: string | undefined): string | undefined {
  const id = commandId?.replaceAll('-', '').slice(16) ?? '';
  return SPAN_ID.test(id) ? id : undefined;
}

class Ids implements IdGenerator {
  /** For the span that begins now. */
  private next: string | undefined;

  generateTraceId(): string {
    return traceIdOf(correlation.getStore()?.correlationId);
  }

  generateSpanId(): string {
    return this.next ?? randomBytes(8).toString('hex');
  }

  naming<Begun>(spanId: string | undefined, begin: () => Begun): Begun {
    this.next = spanId;
    try {
      return begin();
    } finally {
      this.next = undefined;
    }
  }
}

/** Says why spans could not be sent, once a minute with how often that was. */
export function tellingExporter(
  exporter: SpanExporter,
  logger: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): SpanExporter {
  let toldAt = -Infinity;
  let untold = 0;
  const tell = (error: Failure): void => {
    untold += 1;
    if (now() - toldAt < TELL_EVERY_MS) return;
    logger.warn({ reason: reasonOf(error), times: untold }, 'traces could not be sent');
    toldAt = now();
    untold = 0;
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) tell(result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  };
}

type Failure = Error & { readonly code?: string | number };

/** What a connection failed of, or the status that was answered, is in the error and not in what it says. */
function reasonOf({ message, code, cause }: Failure): string {
  const said = [message, code, cause instanceof Error ? cause.message : undefined];
  return said.filter((part) => part !== undefined && part !== '').join(' · ');
}

/** Spans by hand, at the few places that matter: no loader that rewrites what others import. */
export class OtlpTracer implements Tracer {
  private readonly ids = new Ids();
  private readonly provider: BasicTracerProvider;
  private readonly tracer: OtelTracer;
  private readonly active = new AsyncLocalStorage<Span>();

  constructor({ endpoint, headers, ratio, process, logger }: OtlpTracerOptions) {
    // The exporter tells by itself what went wrong, and why.
    diag.disable();
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      headers: headersOf(headers),
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': `nimo-${process}`,
        'service.version': PRODUCT_VERSION,
        'service.instance.id': randomUUID(),
      }),
      idGenerator: this.ids,
      // By the trace's id alone, so that all processes send the same traces, and nobody outside can have us send more.
      sampler: new TraceIdRatioBasedSampler(ratio),
      spanProcessors: [
        new BatchSpanProcessor(tellingExporter(exporter, logger), { scheduledDelayMillis: SEND_EVERY_MS }),
      ],
    });
    this.tracer = this.provider.getTracer('nimo');
  }

  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    return this.within(this.open(name, attributes), work);
  }

  inCommand<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
    const open = (): Span => this.open('command', { 'nimo.command': commandId });
    return this.within(this.ids.naming(spanIdOf(commandId), open), work);
  }

  private within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
    return this.active.run(span, async () => {
      try {
        return await work();
      } catch (error) {
        // The kind alone: a message may quote what somebody wrote.
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  enter(name: string, parent: TraceParent | undefined, proceed: () => void): () => void {
    const context = parent ? under(parent.traceId, parent.spanId) : ROOT_CONTEXT;
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
    // What could not be sent was told, and is no reason not to end.
    await this.provider.shutdown().catch(() => undefined);
  }

  private open(name: string, attributes: SpanAttributes): Span {
    const parent = this.active.getStore();
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return this.tracer.startSpan(name, { attributes }, context);
  }
}

const under = (traceId: string, spanId: string): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

function contextOf({ correlationId, commandId }: SpanCause): Context {
  const spanId = spanIdOf(commandId);
  return spanId === undefined ? ROOT_CONTEXT : under(traceIdOf(correlationId), spanId);
}

function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}
