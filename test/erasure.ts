import { ErasureSteps, RetryLaterError } from '../apps/api/src/features/erasure/erasure-steps.js';
import type { TestApp } from './app.js';
import { eventually } from '@nimo/testing';

export type ErasureStep = keyof ErasureSteps['all'];

/** Keeps the worker from an erasure that a test runs itself: what has begun is not noted again, and is never due. */
export async function holdErasure({ pool }: TestApp, studentId: string): Promise<void> {
  await pool.query(`insert into state.erasure (student_id, due_at, done) values ($1, 'infinity', '{held}')`, [
    studentId,
  ]);
}

/** Runs the steps of an erasure one after the other, as the worker does: each again while something is behind. */
export async function runErasureSteps(
  { worker }: TestApp,
  studentId: string,
  without: readonly ErasureStep[] = [],
): Promise<void> {
  if (!worker) throw new Error('no worker');
  for (const [name, step] of Object.entries(worker.get(ErasureSteps, { strict: false }).all))
    if (!without.includes(name as ErasureStep)) await eventually(() => isDone(step(studentId)));
}

/** Whether it is done; false while something is behind. */
export const isDone = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof RetryLaterError)) throw error;
      return false;
    },
  );
