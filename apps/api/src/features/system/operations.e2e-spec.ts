import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, newPhone, type TestApp } from '../../../../../test/app.js';
import {
  dashboardMetrics,
  alertMetrics,
  documentedMetrics,
} from '../../platform/operations/monitoring.fixture.js';
import { PRODUCT_VERSION } from '../../platform/config/version.js';
import { newCommunity } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { OperationsPort } from './operations.module.js';
import { eventually } from '@nimo/testing';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly service: string;
  /** Identifies one of several processes of the service. */
  readonly instance: string;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<Span, 'service' | 'instance'>[] }[];
  }[];
}

/** Test double of a trace collector: OTLP over HTTP with JSON. */
class Collector {
  readonly spans: Span[] = [];
  readonly headers = new Set<string | undefined>();
  private readonly server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.headers.add(request.headers['x-tenant'] as string | undefined);
      if (request.url === '/v1/traces') this.take(JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take({ resourceSpans }: Sent): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const named = (name: string): string =>
        resource.attributes.find(({ key }) => key === name)?.value.stringValue ?? '';
      const [service, instance] = [named('service.name'), named('service.instance.id')];
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push({ ...span, service, instance });
    }
  }
}

/** Span kinds of OTLP. */
const [SERVER, CONSUMER] = [2, 5];
const collector = new Collector();
let app: TestApp;
let ada: Participant;
let bob: Participant;
beforeAll(async () => {
  const endpoint = await collector.start();
  app = await bootApp(
    {
      METRICS_PORT: '0',
      WORKER_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=nimo%20test',
    },
    { writesLogs: true },
  );
  const community = await newCommunity(app, 2);
  const [first, second] = community.members;
  if (!first || !second) throw new Error('the community has no members');
  ada = new Participant(app, first, community);
  bob = new Participant(app, second, community);
});
afterAll(async () => {
  await app.close();
  await collector.stop();
});

const portOf = (process: 'api' | 'worker'): string => {
  const url = (process === 'api' ? app.api : app.worker)?.get(OperationsPort, { strict: false }).url;
  if (url === undefined) throw new Error(`the ${process} has no port`);
  return url;
};
const metricsOf = async (process: 'api' | 'worker'): Promise<string> =>
  (await fetch(`${portOf(process)}/metrics`)).text();

/** Sums a metric over all lines that match the pattern. */
async function valueOf(process: 'api' | 'worker', pattern: RegExp): Promise<number> {
  const lines = (await metricsOf(process)).split('\n').filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Signs up a phone, whose code is sent by a job. */
async function sendCode(correlationId: string): Promise<void> {
  const phone = newPhone();
  await app.graphql('mutation($phone: Phone!) { createStudent(phone: $phone) { _id } }', { phone });
  await app.graphql('mutation($phone: Phone!) { sendOTP(phone: $phone) { flag } }', { phone }, undefined, {
    'x-correlation-id': correlationId,
  });
}

async function linesOf(process: 'api' | 'worker'): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(app.dataDir, 'logs', `${process}.log`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the operations port', () => {
  it.each(['api', 'worker'] as const)('reports the health of the %s', async (process) => {
    const live = await fetch(`${portOf(process)}/health/live`);
    expect([live.status, await live.json()]).toEqual([200, { status: 'live' }]);
    const ready = await eventually(
      async () => (await fetch(`${portOf(process)}/health/ready`)).json(),
      (health) => (health as { status: string }).status === 'ready',
    );
    expect(Object.keys((ready as { components: object }).components)).toContain('database');
    expect(ready).toMatchObject({ version: PRODUCT_VERSION });
  });

  it('stays ready but degraded when a projection stops, without revealing details', async () => {
    const mark = (error: string | null): Promise<unknown> =>
      app.pool.query(
        `update read.projection_generations set error = $1 where name = 'news' and status = 'live'`,
        [error],
      );
    const ready = async (): Promise<string> => {
      const response = await fetch(`${portOf('api')}/health/ready`);
      return `${response.status} ${await response.text()}`;
    };
    await mark(JSON.stringify({ eventId: randomUUID(), message: 'postgresql://nimo:secret@10.0.0.7' }));
    const stopped = await eventually(ready, (text) => /"projections":\{"status":"degraded"/.test(text));
    expect(stopped).toMatch(/^200 \{"status":"degraded"/);
    expect(stopped).not.toMatch(/secret|10\.0|news/);
    await mark(null);
    await eventually(ready, (text) => text.startsWith('200 {"status":"ready"'));
  });

  it('serves nothing else and only reads', async () => {
    expect((await fetch(`${portOf('api')}/graphql`)).status).toBe(404);
    expect((await fetch(`${portOf('api')}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('is not served publicly', async () => {
    expect((await app.http().get('/metrics')).status).toBe(404);
  });
});

describe('the metrics', () => {
  it('count requests by field, and appends', async () => {
    const requests = /^nimo_graphql_seconds_count\{.*operation="upvoteQuestion"/;
    const appended = /^nimo_events_appended_total/;
    const before = [await valueOf('api', requests), await valueOf('api', appended)] as const;
    const id = await ada.ask();
    await bob.perform(`upvoteQuestion(questionId: "${id}") { _id }`);
    await eventually(
      () => valueOf('api', requests),
      (count) => count === before[0] + 1,
    );
    expect(await valueOf('api', appended)).toBeGreaterThanOrEqual(before[1] + 2);
    expect(await valueOf('api', /^nimo_append_seconds_count\{.*outcome="appended"/)).toBeGreaterThan(0);
  });

  it('contain no names supplied by clients', async () => {
    const name = `Attack_${randomUUID().replaceAll('-', '')}`;
    for (const query of [
      `query ${name} { ${name} }`,
      `query ${name} { getSpaces { _id } }`,
      `query ${name} {`,
      `mutation ${name} { ${name}: joinSpace(spaceId: "x") { _id } }`,
    ]) {
      await app.http().post('/graphql').set('x-correlation-id', name).send({ query, operationName: name });
    }
    await app.http().get(`/media/${name}`);
    expect(await metricsOf('api')).not.toContain(name);
  });

  it('count errors by code', async () => {
    const refused = /^nimo_errors_total\{.*code="UNAUTHENTICATED"/;
    const before = await valueOf('api', refused);
    await app.graphql(`mutation { joinSpace(spaceId: "${randomUUID()}") { _id } }`);
    await eventually(
      () => valueOf('api', refused),
      (count) => count === before + 1,
    );
  });

  it('report projection lag, queue depth, the connection pool and the process', async () => {
    await ada.ask();
    await app.caughtUp();
    const expected = [
      /^nimo_projection_lag_events\{projection="questions",process="worker"\} 0$/m,
      /^nimo_projection_lag_seconds\{projection="questions",process="worker"\} 0$/m,
      /^nimo_projection_leased\{projection="leaderboard",process="worker"\} 1$/m,
      /^nimo_projection_stopped\{projection="leaderboard",process="worker"\} 0$/m,
      /^nimo_projection_ahead\{projection="leaderboard",process="worker"\} 0$/m,
      /^nimo_projection_workers\{process="worker"\} 1$/m,
      ...['sms', 'accountMail', 'image'].map(
        (queue) => new RegExp(`^nimo_jobs\\{queue="${queue}",state="waiting",process="worker"\\} 0$`, 'm'),
      ),
      /^nimo_pool_connections\{state="idle"/m,
      /^nimo_disk_free_bytes\{process="worker"\} [1-9]/m,
      /^nodejs_eventloop_lag_seconds/m,
    ];
    // Values are cached for a second and omitted if they take too long.
    await eventually(
      async () => {
        const text = await metricsOf('worker');
        return expected.filter((pattern) => !pattern.test(text)).map(String);
      },
      (missing) => missing.length === 0,
    );
    expect(await metricsOf('api')).toMatch(/^nimo_sockets\{process="api"\} 0$/m);
  });

  it('report a projection ahead of the log, which is a fault', async () => {
    const ahead = /^nimo_projection_ahead\{projection="leaderboard"/;
    const aheadError = `'{"message": "ahead", "isAheadOfLog": true}'::jsonb`;
    const setError = (error: string): Promise<unknown> =>
      app.pool.query(
        `update read.projection_generations set error = ${error} where name = 'leaderboard' and status = 'live'`,
      );
    await setError(aheadError);
    try {
      await eventually(
        () => valueOf('api', ahead),
        (value) => value === 1,
      );
      expect(await valueOf('api', /^nimo_projection_stopped\{projection="leaderboard"/)).toBe(0);
    } finally {
      await setError('null');
    }
    await eventually(
      () => valueOf('api', ahead),
      (value) => value === 0,
    );
  });

  it('match docs/operations.md and include everything the dashboard and the alert rules use', async () => {
    const text = (await Promise.all([metricsOf('api'), metricsOf('worker')])).join('\n');
    const types = new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
    const all = [...types.keys()];
    expect(all.filter((name) => name.startsWith('nimo_')).sort()).toEqual(documentedMetrics());
    const samples = all.flatMap((name) =>
      types.get(name) === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    );
    const used = [...alertMetrics(), ...dashboardMetrics()];
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !samples.includes(name))).toEqual([]);
  });

  it('report the state of each component and the time of the latest backup', async () => {
    for (const component of ['database', 'migrations', 'log'])
      await eventually(
        () => valueOf('api', new RegExp(`^nimo_component_up\\{component="${component}"`)),
        (value) => value === 1,
      );
    const backup = /^nimo_backup_timestamp_seconds\{/m;
    expect(await metricsOf('worker')).not.toMatch(backup);
    await app.pool.query(`insert into state.backup values (to_timestamp(1000), now(), 1, false)`);
    await eventually(
      () => metricsOf('worker'),
      (text) => /^nimo_backup_timestamp_seconds\{process="worker"\} 1000$/m.test(text),
    );
  });

  it('measure the duration of jobs', async () => {
    const done =
      /^nimo_job_seconds_count\{.*queue="sms".*outcome="done"|^nimo_job_seconds_count\{.*outcome="done".*queue="sms"/;
    const before = await valueOf('worker', done);
    await sendCode(randomUUID());
    await eventually(
      () => valueOf('worker', done),
      (count) => count > before,
    );
  });
});

describe('a correlation id', () => {
  it('passes from the request to the event and into the log of the worker', async () => {
    const correlationId = randomUUID();
    const id = await ada.ask();
    const { data } = await bob.mutate(`upvoteQuestion(questionId: "${id}") { _id }`, {
      'x-correlation-id': correlationId,
    });
    expect(data.done).toEqual({ _id: id });
    const { rows } = await app.pool.query<{ id: string; type: string }>(
      `select event_id as id, type from log.events where metadata->>'correlationId' = $1`,
      [correlationId],
    );
    expect(rows.map(({ type }) => type)).toEqual(['VoteCast']);
    const lines = await eventually(
      async () => (await linesOf('worker')).filter((line) => line['correlationId'] === correlationId),
      (found) => found.some(({ projection }) => projection === 'leaderboard'),
    );
    expect(lines[0]).toMatchObject({ event: rows[0]?.id, type: 'VoteCast', name: 'worker' });
  });

  it('passes to the job of the request', async () => {
    const correlationId = randomUUID();
    await sendCode(correlationId);
    const lines = await eventually(
      async () => (await linesOf('worker')).filter((each) => each['correlationId'] === correlationId),
      (found) => found.some(({ msg }) => msg === 'job done'),
    );
    expect(lines.find(({ msg }) => msg === 'job done')).toMatchObject({ queue: 'sms' });
  });

  it('is returned, so that errors can be reported with it', async () => {
    const correlationId = randomUUID();
    const { headers } = await app.http().get('/health/live').set('x-correlation-id', correlationId);
    expect(headers['x-correlation-id']).toBe(correlationId);
  });

  it.each(['', 'x', `${randomUUID()}\u00e9`, `${randomUUID()}${randomUUID()}`, '{"level":60}'])(
    'is replaced if malformed (%j)',
    async (given) => {
      const response = await fetch(`${app.url}/health/live`, { headers: { 'x-correlation-id': given } });
      const id = response.headers.get('x-correlation-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(id).not.toBe(given);
    },
  );
});

describe('traces', () => {
  it('follow a request from operation to command, append and projections under the correlation id', async () => {
    const correlationId = randomUUID();
    const traceId = correlationId.replaceAll('-', '');
    const id = await ada.ask();
    await bob.mutate(`upvoteQuestion(questionId: "${id}") { _id }`, { 'x-correlation-id': correlationId });
    const trace = await eventually(
      async () => collector.spans.filter((span) => span.traceId === traceId),
      (spans) =>
        ['graphql upvoteQuestion', 'command', 'append', 'fold leaderboard'].every((name) =>
          spans.some((span) => span.name === name),
        ),
    );
    const named = (name: string): Span | undefined => trace.find((span) => span.name === name);
    const [root, command, append] = [named('graphql upvoteQuestion'), named('command'), named('append')];
    expect(root?.parentSpanId ?? '').toBe('');
    expect(command?.parentSpanId).toBe(root?.spanId);
    expect(append?.parentSpanId).toBe(command?.spanId);
    const fold = named('fold leaderboard');
    expect(fold?.parentSpanId).toBe(command?.spanId);
    expect([root?.service, fold?.service]).toEqual(['nimo-api', 'nimo-worker']);
    expect([root?.kind, fold?.kind]).toEqual([SERVER, CONSUMER]);
    expect(root?.instance).toMatch(/^[0-9a-f-]{36}$/);
    expect(fold?.instance).not.toBe(root?.instance);
  });

  it('continue the trace of the client and return its id', async () => {
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const id = await ada.ask();
    const { headers } = await app
      .http()
      .post('/graphql')
      .set('authorization', `Bearer ${bob.student.token}`)
      .set('traceparent', `00-${traceId}-${parentId}-01`)
      .set('x-correlation-id', randomUUID())
      .set('idempotency-key', randomUUID())
      .send({ query: `mutation { upvoteQuestion(questionId: "${id}") { _id } }` });
    expect(String(headers['x-correlation-id']).replaceAll('-', '')).toBe(traceId);
    const trace = await eventually(
      async () => collector.spans.filter((span) => span.traceId === traceId),
      (spans) =>
        ['graphql upvoteQuestion', 'fold leaderboard'].every((name) =>
          spans.some((span) => span.name === name),
        ),
    );
    expect(trace.find(({ name }) => name === 'graphql upvoteQuestion')?.parentSpanId).toBe(parentId);
  });

  it('send the configured headers to the collector', async () => {
    await eventually(() => collector.headers.size > 0);
    expect([...collector.headers]).toEqual(['nimo test']);
  });
});
