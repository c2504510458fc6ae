import type { Settings } from '../config/load-settings.js';
import type { Logger, TraceParent } from '../logging/logger.js';

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

const NONE: Tracer = {
  inSpan: (_name, _attributes, work) => work(),
  inCommand: (_commandId, work) => work(),
  enter: (_name, _parent, proceed) => {
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
    private readonly settings: Pick<Settings, 'otelEndpoint' | 'otelHeaders' | 'otelRatio'>,
    private readonly logger: Logger,
    private readonly process: string,
  ) {}

  async start(): Promise<void> {
    const { otelEndpoint: endpoint, otelHeaders: headers = '', otelRatio: ratio } = this.settings;
    if (endpoint === undefined || this.tracer !== NONE) return;
    const { OtlpTracer } = await import('./otlp-tracer.js');
    this.tracer = new OtlpTracer({ endpoint, headers, ratio, process: this.process, logger: this.logger });
  }

  inSpan<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result> {
    return this.tracer.inSpan(name, attributes, work);
  }

  inCommand<Result>(commandId: string, work: () => Promise<Result>): Promise<Result> {
    return this.tracer.inCommand(commandId, work);
  }

  enter(name: string, parent: TraceParent | undefined, proceed: () => void): () => void {
    return this.tracer.enter(name, parent, proceed);
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
