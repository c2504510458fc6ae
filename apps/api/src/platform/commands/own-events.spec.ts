import { describe, expect, it } from '@jest/globals';
import type { FreshReader, FreshRows, ProjectionWaiter } from '@nimo/projection-engine';
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
function ownEvents(rows: FreshRows | undefined, { stale = false } = {}) {
  const waited: string[] = [];
  const waiter = {
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
const read = (own: OwnEvents, studentId: string, position: string | undefined) =>
  own.rows(contextOf(studentId), done(position), FRESH_VOTES, WISH);

describe('answering a command before the read side has its events', () => {
  it('does not wait', async () => {
    const { own, waited } = ownEvents(ROWS);
    expect(await read(own, 'ada', '7')).toBe(ROWS);
    expect(waited).toEqual([]);
  });

  it('waits itself where the fold is not at hand, and says when that was in vain', async () => {
    for (const stale of [false, true]) {
      const { own, waited } = ownEvents(undefined, { stale });
      const context = contextOf('ada');
      expect(await own.rows(context, done('7'), FRESH_VOTES, WISH)).toBeUndefined();
      expect([waited, context.freshness.stale]).toEqual([[`${name}:7`], stale]);
    }
  });

  it('reads what is stored for a repeated command, and waits for nothing where nothing was written', async () => {
    const { own, waited } = ownEvents(ROWS);
    expect(await own.rows(contextOf('ada'), done('7', true), FRESH_VOTES, WISH)).toBeUndefined();
    expect(await read(own, 'ada', undefined)).toBeUndefined();
    expect(waited).toEqual([`${name}:7`]);
  });
});
