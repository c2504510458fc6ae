import autocannon from 'autocannon';

/** One load test. Each connection cycles through its own requests. */
export interface LoadPlan {
  readonly url: string;
  readonly seconds: number;
  readonly connections: readonly (readonly LoadRequest[])[];
  /** Total requests per second. Default: as fast as possible. */
  readonly rate?: number;
  /** Expected responses. Default: JSON without errors. */
  readonly answers?: Answers;
}

export type Answers = 'json' | 'html' | 'unchanged';

export interface LoadRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

interface Expected {
  readonly status: number;
  readonly isExpected: (body: string) => boolean;
}

const EXPECTED: Readonly<Record<Answers, Expected>> = {
  json: { status: 200, isExpected: (body) => /^\s*[{[]/.test(body) && !body.includes('"errors":') },
  html: { status: 200, isExpected: (body) => body.includes('<main class="served-page-main">') },
  unchanged: { status: 304, isExpected: (body) => body === '' },
};

/** A separate process, so that generating load does not affect the server or the reporting process. */
process.on('message', (plan: LoadPlan) => {
  run(plan).then(
    (result) => process.send?.(result, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});

async function run(plan: LoadPlan): Promise<LoadResult> {
  await fire({ ...plan, seconds: Math.min(3, plan.seconds) });
  return fire(plan);
}

async function fire({ url, connections, seconds, rate, answers = 'json' }: LoadPlan): Promise<LoadResult> {
  let next = 0;
  let failed = 0;
  const expected = EXPECTED[answers];
  const latencies: number[] = [];
  const options: autocannon.Options = {
    url,
    connections: connections.length,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    setupClient: (client) => {
      const own = connections[next++ % connections.length] ?? [];
      client.setRequests(own.map((request) => ({ ...request, headers: { ...request.headers } })));
      client.on('body', (body: Buffer) => {
        if (!expected.isExpected(body.toString('utf8'))) failed += 1;
      });
    },
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error: unknown, finished) => {
      if (error) reject(error instanceof Error ? error : new Error('the load test failed', { cause: error }));
      else resolve(finished);
    });
    instance.on('response', (_client, statusCode, _bytes, milliseconds) => {
      latencies.push(milliseconds);
      if (statusCode !== expected.status) failed += 1;
    });
  });
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: latencies.length / result.duration,
    p50: at(0.5),
    p99: at(0.99),
    failed: failed + result.errors + result.timeouts,
  };
}
