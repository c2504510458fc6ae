import { describe, expect, it } from '@jest/globals';
import type { FreshReader, FreshRows, FreshTable, ProjectionWaiter, Standing } from '@nimo/projection-engine';
import { FRESH_VOTES, votesOn } from '@nimo/projections';
import { createLogger } from '../logging/logger.js';
import { Tracing } from '../operations/tracing.js';
import type { CommandContext } from './command-context.js';
import { OwnEvents } from './own-events.js';

const ROWS: FreshRows = { rows: [], counts: {} };
const WISH = votesOn('post', 'ada');
const { name } = FRESH_VOTES.projection;

function contextOf(studentId: string): CommandContext & { readonly freshness: { stale: boolean } } {
  const by = { kind: 'student', studentId, registered: true, blocked: false, roles: [] } as const;
  const actor = { kind: 'student', id: studentId } as const;
  const ids = { commandId: 'c', correlationId: 'c', causationId: 'c' };
  return { ...ids, by, actor, freshness: { stale: false } };
}

/** @param rows what the fold comes to; undefined where it is not at hand */
function ownEvents(rows: FreshRows | undefined, { reached = '', stale = false } = {}) {
  const waited: string[] = [];
  const standing: Standing = { position: reached, isStopped: false };
  const waiter = {
    standingOf: () => standing,
    timeoutMs: 1_000,
    waitFor(names: readonly string[], position: string) {
      waited.push(`${names.join()}:${position}`);
      return Promise.resolve({ stale });
    },
  } as unknown as ProjectionWaiter;
  const reader = { read: () => Promise.resolve(rows) } as unknown as FreshReader;
  const tracing = new Tracing(
    { otelEndpoint: undefined, otelHeaders: undefined, otelRatio: 1 },
    createLogger({ name: 'test', level: 'silent', console: false }),
    'api',
  );
  return { own: new OwnEvents(reader, waiter, tracing), waited };
}

const done = (position: string | undefined, duplicate = false) => ({ events: [], position, duplicate });
const read = (
  own: OwnEvents,
  studentId: string,
  position: string | undefined,
  fresh: FreshTable = FRESH_VOTES,
) => own.rows(contextOf(studentId), done(position), fresh, WISH);

describe('answering a command before the read side has its events', () => {
  it('has the next query of that student wait, and nobody else', async () => {
    const { own, waited } = ownEvents(ROWS);
    expect(await read(own, 'ada', '7')).toBe(ROWS);
    expect(await read(own, 'ada', '8')).toBe(ROWS);
    expect(own.seenBy('bob')).toBeUndefined();
    expect(waited).toEqual([]);
    await own.seenBy('ada');
    expect(waited).toEqual([`${name}:8`]);
    expect(own.seenBy('ada')).toBeUndefined();
  });

  it('waits for each read model that was behind', async () => {
    const { own, waited } = ownEvents(ROWS);
    const other = { ...FRESH_VOTES, projection: { ...FRESH_VOTES.projection, name: 'other' } };
    await read(own, 'ada', '7');
    await read(own, 'ada', '9', other);
    await own.seenBy('ada');
    expect(waited.sort()).toEqual(['other:9', `${name}:7`]);
  });

  it('has nobody wait where the read side was there already', async () => {
    const { own } = ownEvents(ROWS, { reached: '7' });
    expect(await read(own, 'ada', '7')).toBe(ROWS);
    expect(own.seenBy('ada')).toBeUndefined();
  });

  it('waits itself where the fold is not at hand, and says when that was in vain', async () => {
    for (const stale of [false, true]) {
      const { own, waited } = ownEvents(undefined, { stale });
      const context = contextOf('ada');
      expect(await own.rows(context, done('7'), FRESH_VOTES, WISH)).toBeUndefined();
      expect([waited, context.freshness.stale]).toEqual([[`${name}:7`], stale]);
      expect(own.seenBy('ada')).toBeUndefined();
    }
  });

  it('reads what is stored for a repeated command, and waits for nothing where nothing was written', async () => {
    const { own, waited } = ownEvents(ROWS);
    expect(await own.rows(contextOf('ada'), done('7', true), FRESH_VOTES, WISH)).toBeUndefined();
    expect(await read(own, 'ada', undefined)).toBeUndefined();
    expect(waited).toEqual([`${name}:7`]);
  });
});
