import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Span,
  type Tracer as OtelTracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type IdGenerator } from '@opentelemetry/sdk-trace-base';
import { correlation } from '../logging/correlation.js';
import type { Logger } from '../logging/logger.js';
import type { RecordedSpan, SpanAttributes, Tracer } from './tracing.js';

const SEND_EVERY_MS = 1_000;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
/** A batch of a rebuild carries thousands of events, and nobody waits for any of them. */
const MOST_TRACES_A_BATCH = 32;

export interface OtlpTracerOptions {
  readonly endpoint: string;
  /** `name=value,name=value` */
  readonly headers: string;
  readonly process: string;
  readonly logger: Logger;
}

/** A correlation id is a UUID, and as many bytes as a trace id: whoever has the one has the other, in every process. */
function traceIdOf(correlationId: string | undefined): string {
  const id = correlationId?.replaceAll('-', '') ?? '';
  return TRACE_ID.test(id) ? id : randomBytes(16).toString('hex');
}

const ids: IdGenerator = {
  generateTraceId: () => traceIdOf(correlation.getStore()?.correlationId),
  generateSpanId: () => randomBytes(8).toString('hex'),
};

/** Spans by hand, at the few places that matter: no loader that rewrites what others import. */
export class OtlpTracer implements Tracer {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: OtelTracer;
  private readonly active = new AsyncLocalStorage<Span>();

  constructor({ endpoint, headers, process, logger }: OtlpTracerOptions) {
    const failed = (message: string): void => logger.warn({ reason: message }, 'traces could not be sent');
    const ignore = (): void => undefined;
    diag.setLogger(
      { error: failed, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
      { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
    );
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      headers: headersOf(headers),
    });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': `nimo-${process}` }),
      idGenerator: ids,
      spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: SEND_EVERY_MS })],
    });
    this.tracer = this.provider.getTracer('nimo');
  }

  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    const span = this.open(name, attributes);
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

  enter(name: string, attributes: SpanAttributes, proceed: () => void): () => void {
    const span = this.open(name, attributes);
    this.active.run(span, proceed);
    return () => span.end();
  }

  rename(name: string): void {
    this.active.getStore()?.updateName(name);
  }

  record(name: string, attributes: SpanAttributes, { startedAt, correlationIds }: RecordedSpan): void {
    for (const correlationId of [...new Set(correlationIds)].slice(0, MOST_TRACES_A_BATCH)) {
      correlation.run({ correlationId }, () => {
        this.tracer.startSpan(name, { attributes, startTime: startedAt }, ROOT_CONTEXT).end();
      });
    }
  }

  async stop(): Promise<void> {
    await this.provider.shutdown();
  }

  private open(name: string, attributes: SpanAttributes): Span {
    const parent = this.active.getStore();
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    return this.tracer.startSpan(name, { attributes }, context);
  }
}

function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}
