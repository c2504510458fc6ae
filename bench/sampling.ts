import { performance } from 'node:perf_hooks';

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) throw new RangeError('nothing was measured');
  const sorted = values.toSorted((a, b) => a - b);
  const place = Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1);
  return sorted[Math.max(0, place)] ?? 0;
}

export interface ClosedLoop {
  readonly clients: number;
  readonly seconds: number;
  /** One operation of a client, which starts the next one when it is done. */
  readonly work: (client: number) => Promise<void>;
}

export interface LoopResult {
  readonly perSecond: number;
  /** Milliseconds per operation. */
  readonly latencies: readonly number[];
}

/** Runs clients with one operation at a time each, after a short warm-up. */
export async function closedLoop({ clients, seconds, work }: ClosedLoop): Promise<LoopResult> {
  await drive(clients, Math.min(1, seconds / 3), work);
  return drive(clients, seconds, work);
}

async function drive(clients: number, seconds: number, work: ClosedLoop['work']): Promise<LoopResult> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let startedAt = performance.now(); startedAt < end; startedAt = performance.now()) {
        await work(client);
        latencies.push(performance.now() - startedAt);
      }
    }),
  );
  return { perSecond: (latencies.length / (performance.now() - start)) * 1000, latencies };
}

/** Medians of contestants that take turns, so that disturbances of the machine affect all of them. */
export async function mediansOf<Name extends string>(
  repeats: number,
  contestants: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name): [string, number[]] => [name, []]));
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    for (const name of names) results[name]?.push(await contestants[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(results[name] ?? [])])) as Record<Name, number>;
}
