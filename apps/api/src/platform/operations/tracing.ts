import type { Settings } from '../config/load-settings.js';
import type { Logger, TraceParent } from '../logging/logger.js';
import type { SpanAttributes, RecordedSpan, Tracer } from './otlp-tracer.js';

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

/** Tracing with OpenTelemetry if a collector is configured; otherwise it is not even loaded. */
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
