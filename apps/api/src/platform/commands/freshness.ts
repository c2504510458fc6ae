import type { Position } from '@nimo/event-store';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { ApiError } from '../errors/api-error.js';
import type { Freshness } from '../auth/request-context.js';

/** Lists the client's own writes that it has not seen yet: `projection=position`, separated by commas. */
export const READ_AFTER_HEADER = 'x-read-after';

const MAX_PROJECTIONS = 20;
const ENTRY = /^[a-z-]{1,40}=[0-9/]{1,80}$/;

export const newFreshness = (readAfter: Freshness['readAfter'] = new Map()): Freshness => ({
  stale: false,
  readAfter,
});

/** @throws ApiError when the header is malformed */
export function parseReadAfter(header: string | readonly string[] | undefined): Freshness['readAfter'] {
  if (header === undefined || header === '') return new Map();
  const places = String(header).split(',');
  if (places.length > MAX_PROJECTIONS || !places.every((place) => ENTRY.test(place)))
    throw new ApiError(
      'VALIDATION_FAILED',
      `${READ_AFTER_HEADER} must be up to ${MAX_PROJECTIONS} projections with positions, as returned in a response.`,
      { field: READ_AFTER_HEADER, rule: 'READ_AFTER_INVALID' },
    );
  return new Map(
    places.map((place) => {
      const at = place.indexOf('=');
      return [place.slice(0, at), place.slice(at + 1)];
    }),
  );
}

/** Waits until the caller of a command can see its result; marks the response stale when the waiter times out. */
export async function awaitVisible(
  waiter: Pick<ProjectionWaiter, 'waitFor'>,
  { names, position }: { readonly names: readonly string[]; readonly position: Position },
  freshness: Freshness,
): Promise<void> {
  const { stale } = await waiter.waitFor(names, position);
  if (!stale) return;
  freshness.stale = true;
  for (const name of names) {
    const before = freshness.readAfter.get(name);
    // A repeated command returns the position of its first run.
    if (before === undefined || before < position) freshness.readAfter.set(name, position);
  }
}

/** For queries: drops positions that are visible by now and marks the response stale if any remain. */
export async function refreshStaleness(
  waiter: Pick<ProjectionWaiter, 'progressOf' | 'waitFor'>,
  freshness: Freshness,
): Promise<void> {
  const { readAfter } = freshness;
  for (const [name, position] of readAfter)
    if (await isProjected(waiter, name, position)) readAfter.delete(name);
  freshness.stale ||= readAfter.size > 0;
}

async function isProjected(
  waiter: Pick<ProjectionWaiter, 'progressOf' | 'waitFor'>,
  name: string,
  position: Position,
): Promise<boolean> {
  const progress = waiter.progressOf(name);
  if (progress) return progress.position >= position;
  try {
    return !(await waiter.waitFor([name], position, 0)).stale;
  } catch (error) {
    // A client of another build may name a projection unknown here.
    if (error instanceof RangeError) return true;
    throw error;
  }
}
