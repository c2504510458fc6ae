import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { AppendOrder } from './import-order.js';
import { runPipeline } from './import-stack-exchange.js';
import type { Step } from './import-steps.js';

const COUNT = 200;

function newLog(isQueued = true) {
  const order = new AppendOrder();
  const log = order.wrap(new InMemoryEventStore(), isQueued);
  const append = (streamId: string): Promise<unknown> =>
    log.append([
      {
        streamId,
        expectedRevision: 'any',
        events: [{ id: crypto.randomUUID(), type: 'Happened', data: {}, metadata: {} }],
      },
    ]);
  const streams = async (): Promise<string[]> =>
    (await log.readAll({ limit: 1000 })).map(({ streamId }) => streamId);
  return { order, append, streams };
}

async function* inSequence(steps: readonly Step[]): AsyncGenerator<Step> {
  yield* steps;
}

const running = { concurrency: 16, signal: new AbortController().signal };

describe('runPipeline', () => {
  it.each([true, false])('appends events in the order of the steps (queued: %s)', async (isQueued) => {
    const { append, order, streams } = newLog(isQueued);
    const steps = Array.from({ length: COUNT }, (_, index) => ({
      provides: `${index}`,
      needs: [],
      isOrdered: true,
      run: async () => {
        await delay((index * 7) % 5);
        // Some steps append nothing.
        if (index % 7 > 0) await append(`s-${index}`);
      },
    }));
    expect(await runPipeline(inSequence(steps), { ...running, order })).toBe(true);
    const written = steps.flatMap(({ provides }, index) => (index % 7 > 0 ? [`s-${provides}`] : []));
    expect(await streams()).toEqual(written);
  });

  it('waits for dependencies', async () => {
    const { order } = newLog();
    const done: string[] = [];
    let endOther = (): void => undefined;
    const otherEnds = new Promise<void>((resolve) => (endOther = resolve));
    const step = (provides: string, needs: string[], work?: Promise<void>): Step => ({
      provides,
      needs,
      isOrdered: false,
      run: async () => {
        await work;
        done.push(provides);
        if (provides === 'other') endOther();
      },
    });
    const steps = [
      step('question', [], otherEnds),
      step('other', []),
      step('answer', ['question', 'unknown']),
    ];
    await runPipeline(inSequence(steps), { ...running, order });
    expect(done).toEqual(['other', 'question', 'answer']);
  });

  it('appends nothing after the first failed step', async () => {
    const { append, order, streams } = newLog();
    const steps = Array.from({ length: COUNT }, (_, index) => ({
      provides: `${index}`,
      needs: [],
      isOrdered: true,
      run: async () => {
        if (index === 50) throw new Error('the disk is full');
        await append(`s-${index}`);
      },
    }));
    await expect(runPipeline(inSequence(steps), { ...running, order })).rejects.toThrow('the disk is full');
    const written = await streams();
    expect(written).toEqual(Array.from({ length: written.length }, (_, index) => `s-${index}`));
    expect(written.length).toBeLessThanOrEqual(50);
  });

  it('finishes running steps on abort', async () => {
    const { append, order, streams } = newLog();
    const stopping = new AbortController();
    const steps = Array.from({ length: COUNT }, (_, index) => ({
      provides: `${index}`,
      needs: [],
      isOrdered: true,
      run: async () => {
        await append(`s-${index}`);
        if (index === 30) stopping.abort();
      },
    }));
    expect(await runPipeline(inSequence(steps), { concurrency: 16, order, signal: stopping.signal })).toBe(
      false,
    );
    const written = await streams();
    expect(written).toEqual(Array.from({ length: written.length }, (_, index) => `s-${index}`));
    expect(written.length).toBeLessThan(COUNT);
  });
});
