import { ErasureSteps } from '../apps/api/src/features/erasure/erasure-steps.js';
import { RetryLaterError } from '../apps/api/src/features/erasure/post-words.js';
import type { TestApp } from './app.js';
import { eventually } from '@nimo/testing';

export type ErasureStep = keyof ErasureSteps['all'];

/** Marks an erasure as started and never due, so that the worker leaves it to the test. */
export async function holdErasure({ pool }: TestApp, studentId: string): Promise<void> {
  await pool.query(`insert into state.erasure (student_id, due_at, done) values ($1, 'infinity', '{held}')`, [
    studentId,
  ]);
}

/** Runs the erasure steps in order, like the worker. Retries a step while a projection is behind. */
export async function runErasureSteps(
  { worker }: TestApp,
  studentId: string,
  without: readonly ErasureStep[] = [],
): Promise<void> {
  if (!worker) throw new Error('no worker');
  for (const [name, step] of Object.entries(worker.get(ErasureSteps, { strict: false }).all))
    if (!without.includes(name as ErasureStep)) await eventually(() => isDone(step(studentId)));
}

/** Whether the work succeeded; false if it must be retried later. */
export const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof RetryLaterError)) throw error;
      return false;
    },
  );
