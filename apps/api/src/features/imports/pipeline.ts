import type { AppendOrder } from './append-order.js';

/** One piece of work of an import. */
export interface Step {
  /** What others may need of it. */
  readonly makes: string;
  /** Earlier steps that must be over before it begins. */
  readonly needs: readonly string[];
  /** Its events go into the log in the order of the steps. */
  readonly isOrdered: boolean;
  run(): Promise<void>;
}

export interface PipelineOptions {
  readonly order: AppendOrder;
  /** Steps under way at once. */
  readonly width: number;
  /** No further step is begun; those under way are finished. */
  readonly signal: AbortSignal;
}

/** Runs steps side by side as far as they do not need each other. @returns false where it was asked to stop before the end */
export async function runPipeline(
  steps: AsyncIterable<Step>,
  { order, width, signal }: PipelineOptions,
): Promise<boolean> {
  const underWay = new Set<Promise<void>>();
  const making = new Map<string, Promise<void>>();
  let failure: { readonly error: unknown } | undefined;

  const start = (step: Step): void => {
    const needed = step.needs.flatMap((name) => making.get(name) ?? []);
    const work = async (): Promise<void> => {
      await Promise.all(needed);
      if (!failure) await step.run();
    };
    const done: Promise<void> = (step.isOrdered ? order.next(work) : work())
      .catch((error: unknown) => {
        failure ??= { error };
        order.close();
      })
      .finally(() => {
        underWay.delete(done);
        if (making.get(step.makes) === done) making.delete(step.makes);
      });
    underWay.add(done);
    making.set(step.makes, done);
  };

  let isComplete = true;
  for await (const step of steps) {
    while (underWay.size >= width) await Promise.race(underWay);
    if (signal.aborted || failure) {
      isComplete = false;
      break;
    }
    start(step);
  }
  await Promise.all(underWay);
  if (failure) throw failure.error;
  return isComplete;
}
