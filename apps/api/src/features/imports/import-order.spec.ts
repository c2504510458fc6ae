import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { AppendOrder } from './import-order.js';
import { runPipeline } from './import-stack-exchange.js';
import type { Step } from './import-steps.js';

const COUNT = 200;

function world(isQueued = true) {
  const order = new AppendOrder();
  const log = order.arrange(new InMemoryEventStore(), isQueued);
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

async function* each(steps: readonly Step[]): AsyncGenerator<Step> {
  yield* steps;
}

const running = { width: 16, signal: new AbortController().signal };

describe('steps side by side', () => {
  it.each([true, false])(
    'are written in their order (queued: %s), however long each takes',
    async (isQueued) => {
      const { append, order, streams } = world(isQueued);
      const steps = Array.from({ length: COUNT }, (_, index) => ({
        makes: `${index}`,
        needs: [],
        isOrdered: true,
        run: async () => {
          await delay((index * 7) % 5);
          // Some have nothing to write.
          if (index % 7 > 0) await append(`s-${index}`);
        },
      }));
      expect(await runPipeline(each(steps), { ...running, order })).toBe(true);
      const written = steps.flatMap(({ makes }, index) => (index % 7 > 0 ? [`s-${makes}`] : []));
      expect(await streams()).toEqual(written);
    },
  );

  it('wait for what they need', async () => {
    const { order } = world();
    const done: string[] = [];
    let endOther = (): void => undefined;
    const otherEnds = new Promise<void>((resolve) => (endOther = resolve));
    const step = (makes: string, needs: string[], work?: Promise<void>): Step => ({
      makes,
      needs,
      isOrdered: false,
      run: async () => {
        await work;
        done.push(makes);
        if (makes === 'other') endOther();
      },
    });
    const steps = [
      step('question', [], otherEnds),
      step('other', []),
      step('answer', ['question', 'unknown']),
    ];
    await runPipeline(each(steps), { ...running, order });
    expect(done).toEqual(['other', 'question', 'answer']);
  });

  it('end at the first failure without a hole: nothing later is written', async () => {
    const { append, order, streams } = world();
    const steps = Array.from({ length: COUNT }, (_, index) => ({
      makes: `${index}`,
      needs: [],
      isOrdered: true,
      run: async () => {
        if (index === 50) throw new Error('the disk is full');
        await append(`s-${index}`);
      },
    }));
    await expect(runPipeline(each(steps), { ...running, order })).rejects.toThrow('the disk is full');
    const written = await streams();
    expect(written).toEqual(Array.from({ length: written.length }, (_, index) => `s-${index}`));
    expect(written.length).toBeLessThanOrEqual(50);
  });

  it('stop when asked to, with those under way finished', async () => {
    const { append, order, streams } = world();
    const stopping = new AbortController();
    const steps = Array.from({ length: COUNT }, (_, index) => ({
      makes: `${index}`,
      needs: [],
      isOrdered: true,
      run: async () => {
        await append(`s-${index}`);
        if (index === 30) stopping.abort();
      },
    }));
    expect(await runPipeline(each(steps), { width: 16, order, signal: stopping.signal })).toBe(false);
    const written = await streams();
    expect(written).toEqual(Array.from({ length: written.length }, (_, index) => `s-${index}`));
    expect(written.length).toBeLessThan(COUNT);
  });
});
