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
  /** One piece of work of one client, who begins the next when it is done. */
  readonly work: (client: number) => Promise<void>;
}

export interface Paced {
  readonly perSecond: number;
  /** Milliseconds of each piece of work. */
  readonly latencies: readonly number[];
}

/** So many clients, each with one piece of work at a time, after a short run to warm up. */
export async function closedLoop({ clients, seconds, work }: ClosedLoop): Promise<Paced> {
  await drive(clients, Math.min(1, seconds / 3), work);
  return drive(clients, seconds, work);
}

async function drive(clients: number, seconds: number, work: ClosedLoop['work']): Promise<Paced> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let began = performance.now(); began < end; began = performance.now()) {
        await work(client);
        latencies.push(performance.now() - began);
      }
    }),
  );
  return { perSecond: (latencies.length / (performance.now() - start)) * 1000, latencies };
}

/** Each contestant in turn, so that a disturbed moment of the machine meets all of them; the median of each. */
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
