import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logging/logger.js';
import { OtlpTracer, withFailureLog } from './otlp-tracer.js';

type Outcome = Parameters<Parameters<SpanExporter['export']>[1]>[0];
const MINUTE = 60_000;

// The enum is in a package that we do not use.
const SENT = { code: 0 } as unknown as Outcome;

/** A logger that records warnings. */
function recordingLogger(): { readonly logged: unknown[]; readonly logger: Logger } {
  const logged: unknown[] = [];
  return { logged, logger: { warn: (line: unknown) => logged.push(line) } as unknown as Logger };
}

function exporterOf(outcomes: readonly Outcome[]): SpanExporter {
  const waiting = [...outcomes];
  return {
    export: (_spans, done) => done(waiting.shift() ?? SENT),
    shutdown: () => Promise.resolve(),
  };
}

describe('failed trace exports', () => {
  const error = new Error('', { cause: new Error('the socket was closed') });
  const refused = { code: 1, error: Object.assign(error, { code: 'ECONNREFUSED' }) } as unknown as Outcome;

  it('are logged with reason and count, once a minute', () => {
    const { logged, logger } = recordingLogger();
    let now = 0;
    const exporter = withFailureLog(exporterOf(Array<Outcome>(4).fill(refused)), logger, () => now);
    const send = (): void => exporter.export([], () => undefined);
    send();
    expect(logged).toEqual([{ reason: 'ECONNREFUSED · the socket was closed', times: 1 }]);
    send();
    now = MINUTE - 1;
    send();
    expect(logged).toHaveLength(1);
    now = MINUTE;
    send();
    expect(logged[1]).toMatchObject({ times: 3 });
    send();
    expect(logged).toHaveLength(2);
  });

  it('include the status of the collector', async () => {
    const { logged, logger } = recordingLogger();
    const collector = createServer((_request, response) => response.writeHead(401).end('no such tenant'));
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const tracer = new OtlpTracer({ endpoint, headers: '', ratio: 1, process: 'test', logger });
    await tracer.inSpan('one', {}, () => Promise.resolve());
    await tracer.stop();
    expect(logged).toEqual([{ reason: expect.stringMatching(/401/) as unknown, times: 1 }]);
    collector.closeAllConnections();
    collector.close();
    await once(collector, 'close');
  });

  it('do not occur when the ratio is 0', async () => {
    const { logged, logger } = recordingLogger();
    // Nothing listens on port 9, so any export would fail.
    const endpoint = 'http://127.0.0.1:9';
    const tracer = new OtlpTracer({ endpoint, headers: '', ratio: 0, process: 'test', logger });
    await tracer.inSpan('one', {}, () => tracer.inCommand('not a uuid', () => Promise.resolve()));
    await tracer.stop();
    expect(logged).toEqual([]);
  });
});
