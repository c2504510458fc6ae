import type { Settings } from '../config/load-settings.js';
import type { Logger } from '../logging/logger.js';

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface RecordedSpan {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly correlationIds: readonly string[];
}

/** Where time goes, told to a collector. The trace of a request has its correlation id. */
export interface Tracer {
  /** Part of the span that is open, otherwise a root of the trace of the correlation id at hand. */
  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** For what goes on by callbacks. @returns what ends the span */
  enter(name: string, attributes: SpanAttributes, proceed: () => void): () => void;
  /** Names the open span, once it is known what it is about. */
  rename(name: string): void;
  /** What is done already, in the trace of everything that caused it. */
  record(name: string, attributes: SpanAttributes, span: RecordedSpan): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const NONE: Tracer = {
  inSpan: (_name, _attributes, work) => work(),
  enter: (_name, _attributes, proceed) => {
    proceed();
    return () => undefined;
  },
  rename: () => undefined,
  record: () => undefined,
  stop: () => Promise.resolve(),
};

/** OpenTelemetry where a collector is configured; otherwise nothing of it is loaded. */
export class Tracing implements Tracer {
  private tracer = NONE;

  constructor(
    private readonly settings: Pick<Settings, 'otelEndpoint' | 'otelHeaders'>,
    private readonly logger: Logger,
    private readonly process: string,
  ) {}

  async start(): Promise<void> {
    const { otelEndpoint: endpoint, otelHeaders: headers = '' } = this.settings;
    if (endpoint === undefined || this.tracer !== NONE) return;
    const { OtlpTracer } = await import('./otlp-tracer.js');
    this.tracer = new OtlpTracer({ endpoint, headers, process: this.process, logger: this.logger });
  }

  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    return this.tracer.inSpan(name, attributes, work);
  }

  enter(name: string, attributes: SpanAttributes, proceed: () => void): () => void {
    return this.tracer.enter(name, attributes, proceed);
  }

  rename(name: string): void {
    this.tracer.rename(name);
  }

  record(name: string, attributes: SpanAttributes, span: RecordedSpan): void {
    this.tracer.record(name, attributes, span);
  }

  stop(): Promise<void> {
    return this.tracer.stop();
  }
}
