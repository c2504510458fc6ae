import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Logger } from '../logging/logger.js';
import { OtlpTracer, tellingExporter } from './otlp-tracer.js';

type Outcome = Parameters<Parameters<SpanExporter['export']>[1]>[0];
const MINUTE = 60_000;

// By number, as the names are in a package that we do not use.
const SENT = { code: 0 } as unknown as Outcome;

/** A logger that keeps what it is told. */
function keeping(): { readonly told: unknown[]; readonly logger: Logger } {
  const told: unknown[] = [];
  return { told, logger: { warn: (line: unknown) => told.push(line) } as unknown as Logger };
}

function exporterOf(outcomes: readonly Outcome[]): SpanExporter {
  const waiting = [...outcomes];
  return {
    export: (_spans, done) => done(waiting.shift() ?? SENT),
    shutdown: () => Promise.resolve(),
  };
}

describe('traces that could not be sent', () => {
  const error = new Error('', { cause: new Error('the socket was closed') });
  const refused = { code: 1, error: Object.assign(error, { code: 'ECONNREFUSED' }) } as unknown as Outcome;

  it('are told with the reason, once a minute with how often that was', () => {
    const { told, logger } = keeping();
    let now = 0;
    const exporter = tellingExporter(exporterOf(Array<Outcome>(4).fill(refused)), logger, () => now);
    const send = (): void => exporter.export([], () => undefined);
    send();
    expect(told).toEqual([{ reason: 'ECONNREFUSED · the socket was closed', times: 1 }]);
    send();
    now = MINUTE - 1;
    send();
    expect(told).toHaveLength(1);
    now = MINUTE;
    send();
    expect(told[1]).toMatchObject({ times: 3 });
    send();
    expect(told).toHaveLength(2);
  });

  it('name the status that a collector answers', async () => {
    const { told, logger } = keeping();
    const collector = createServer((_request, response) => response.writeHead(401).end('no such tenant'));
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const tracer = new OtlpTracer({ endpoint, headers: '', ratio: 1, process: 'test', logger });
    await tracer.inSpan('one', {}, () => Promise.resolve());
    await tracer.stop();
    expect(told).toEqual([{ reason: expect.stringMatching(/401/) as unknown, times: 1 }]);
    collector.closeAllConnections();
    collector.close();
    await once(collector, 'close');
  });

  it('are none where the ratio keeps all of them', async () => {
    const { told, logger } = keeping();
    // Port 9 is nobody's: whoever sent something would be told that it did not arrive.
    const endpoint = 'http://127.0.0.1:9';
    const tracer = new OtlpTracer({ endpoint, headers: '', ratio: 0, process: 'test', logger });
    await tracer.inSpan('one', {}, () => tracer.inCommand('not a uuid', () => Promise.resolve()));
    await tracer.stop();
    expect(told).toEqual([]);
  });
});
