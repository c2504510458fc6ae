import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Position } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { type LivePositions, UnchangedReads } from './unchanged-reads.js';

const NAMES = ['notes', 'people'];

/** A log, and the positions of a read side with a count of their reads. */
class Fixture {
  readonly store = new InMemoryEventStore();
  readonly errors: unknown[] = [];
  positions: LivePositions | null = null;
  queries = 0;
  /** Delays queries. */
  gate: Promise<void> = Promise.resolve();

  reads(maxEvents?: number): UnchangedReads {
    const query = async (): Promise<{ rows: readonly { positions: LivePositions | null }[] }> => {
      this.queries += 1;
      const { positions } = this;
      await this.gate;
      return { rows: [{ positions }] };
    };
    return new UnchangedReads({
      pool: { query } as unknown as Pick<Pool, 'query'>,
      store: this.store,
      names: NAMES,
      types: new Set(['Noted']),
      onError: (error) => this.errors.push(error),
      ...(maxEvents !== undefined && { maxEvents }),
    });
  }

  async append(note: string): Promise<Position> {
    const event = { id: randomUUID(), type: 'Noted', data: { note }, metadata: {} };
    const [outcome] = await this.store.append([
      { streamId: `note-${note}`, expectedRevision: 'any', events: [event] },
    ]);
    if (outcome?.kind !== 'appended') throw new Error('nothing was appended');
    return outcome.position;
  }

  /** Positions with both projections at `position`. */
  at(position: Position, generation = 1): LivePositions {
    return Object.fromEntries(NAMES.map((name) => [name, { generation, position }]));
  }
}

const of =
  (note: string) =>
  ({ data }: { readonly data: object }): boolean =>
    'note' in data && data.note === note;

describe('cached rows', () => {
  it('are unchanged until an event that concerns them is applied', async () => {
    const fixture = new Fixture();
    const reads = fixture.reads();
    const then = (fixture.positions = fixture.at(await fixture.append('a')));
    expect(await reads.since(then, of('a'))).toEqual(then);
    const now = (fixture.positions = fixture.at(await fixture.append('b')));
    expect(await reads.since(then, of('a'))).toEqual(now);
    // Appended, but not applied.
    await fixture.append('a');
    expect(await reads.since(then, of('a'))).toEqual(now);
  });

  it('may have changed once any projection has applied an event that concerns them', async () => {
    const fixture = new Fixture();
    const reads = fixture.reads();
    const then = fixture.at(await fixture.append('a'));
    const position = await fixture.append('a');
    fixture.positions = { ...then, people: { generation: 1, position } };
    expect(await reads.since(then, of('a'))).toBeUndefined();
    expect(await reads.since(then, of('b'))).toEqual(fixture.positions);
  });

  it('may have changed with another generation, an earlier position or no live generation', async () => {
    const fixture = new Fixture();
    const reads = fixture.reads();
    const earlier = fixture.at(await fixture.append('b'));
    const then = fixture.at(await fixture.append('b'));
    const { notes } = then;
    if (!notes) throw new Error('missing position');
    for (const positions of [fixture.at(notes.position, 2), earlier, { notes }, null]) {
      fixture.positions = positions;
      expect(await reads.since(then, of('a'))).toBeUndefined();
    }
  });

  it('may have changed after too many events, an undecodable event or while the log is unavailable', async () => {
    const fixture = new Fixture();
    const then = fixture.at(await fixture.append('a'));
    for (let count = 0; count < 5; count += 1) fixture.positions = fixture.at(await fixture.append('b'));
    expect(await fixture.reads(4).since(then, of('a'))).toBeUndefined();
    expect(await fixture.reads(5).since(then, of('a'))).toEqual(fixture.positions);
    const fault = new Error('the log is unavailable');
    const readAll = fixture.store.readAll.bind(fixture.store);
    fixture.store.readAll = async (options) =>
      (await readAll(options)).map((event) => ({ ...event, undecodable: 'sealed' }));
    expect(await fixture.reads().since(then, of('a'))).toBeUndefined();
    fixture.store.readAll = () => Promise.reject(fault);
    expect(await fixture.reads().since(then, of('a'))).toBeUndefined();
    expect(fixture.errors).toEqual([fault]);
  });

  it('are validated with one query for concurrent callers, never with one in progress', async () => {
    const fixture = new Fixture();
    const reads = fixture.reads();
    const then = (fixture.positions = fixture.at(await fixture.append('a')));
    let open: () => void = () => undefined;
    fixture.gate = new Promise((resolve) => (open = resolve));
    const first = reads.since(then, of('a'));
    await new Promise(setImmediate);
    fixture.positions = fixture.at(await fixture.append('a'));
    const later = [reads.since(then, of('a')), reads.since(then, of('a'))];
    open();
    expect(await first).toEqual(then);
    expect(await Promise.all(later)).toEqual([undefined, undefined]);
    expect(fixture.queries).toBe(2);
  });
});
