import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Position } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { type LivePlaces, UnchangedReads } from './unchanged-reads.js';

const NAMES = ['notes', 'people'];

/** The log, where the read side is, and how often that was looked up. */
class Sides {
  readonly store = new InMemoryEventStore();
  readonly errors: unknown[] = [];
  places: LivePlaces | null = null;
  looks = 0;
  /** Looks wait for it. */
  gate: Promise<void> = Promise.resolve();

  reads(atMost?: number): UnchangedReads {
    const query = async (): Promise<{ rows: readonly { places: LivePlaces | null }[] }> => {
      this.looks += 1;
      const { places } = this;
      await this.gate;
      return { rows: [{ places }] };
    };
    return new UnchangedReads({
      pool: { query } as unknown as Pick<Pool, 'query'>,
      store: this.store,
      names: NAMES,
      types: new Set(['Noted']),
      onError: (error) => this.errors.push(error),
      ...(atMost !== undefined && { atMost }),
    });
  }

  async happens(note: string): Promise<Position> {
    const event = { id: randomUUID(), type: 'Noted', data: { note }, metadata: {} };
    const [outcome] = await this.store.append([
      { streamId: `note-${note}`, expectedRevision: 'any', events: [event] },
    ]);
    if (outcome?.kind !== 'appended') throw new Error('nothing was appended');
    return outcome.position;
  }

  /** Both projections at that position, of that generation. */
  at(position: Position, generation = 1): LivePlaces {
    return Object.fromEntries(NAMES.map((name) => [name, { generation, position }]));
  }
}

const of =
  (note: string) =>
  ({ data }: { readonly data: object }): boolean =>
    'note' in data && data.note === note;

describe('rows that were read earlier', () => {
  it('are the same while nothing that concerns them was applied', async () => {
    const sides = new Sides();
    const reads = sides.reads();
    const then = (sides.places = sides.at(await sides.happens('a')));
    expect(await reads.since(then, of('a'))).toEqual(then);
    const now = (sides.places = sides.at(await sides.happens('b')));
    expect(await reads.since(then, of('a'))).toEqual(now);
    // In the log, and in no row yet.
    await sides.happens('a');
    expect(await reads.since(then, of('a'))).toEqual(now);
  });

  it('may be others after an event that concerns them, applied by one of the projections at least', async () => {
    const sides = new Sides();
    const reads = sides.reads();
    const then = sides.at(await sides.happens('a'));
    const position = await sides.happens('a');
    sides.places = { ...then, people: { generation: 1, position } };
    expect(await reads.since(then, of('a'))).toBeUndefined();
    expect(await reads.since(then, of('b'))).toEqual(sides.places);
  });

  it('may be others in another generation, one that went back, or where none serves', async () => {
    const sides = new Sides();
    const reads = sides.reads();
    const earlier = sides.at(await sides.happens('b'));
    const then = sides.at(await sides.happens('b'));
    const { notes } = then;
    if (!notes) throw new Error('there is no such place');
    for (const places of [sides.at(notes.position, 2), earlier, { notes }, null]) {
      sides.places = places;
      expect(await reads.since(then, of('a'))).toBeUndefined();
    }
  });

  it('may be others where too much happened, an event cannot be read, or the log is away', async () => {
    const sides = new Sides();
    const then = sides.at(await sides.happens('a'));
    for (let count = 0; count < 5; count += 1) sides.places = sides.at(await sides.happens('b'));
    expect(await sides.reads(4).since(then, of('a'))).toBeUndefined();
    expect(await sides.reads(5).since(then, of('a'))).toEqual(sides.places);
    const fault = new Error('the log is away');
    const readAll = sides.store.readAll.bind(sides.store);
    sides.store.readAll = async (options) =>
      (await readAll(options)).map((event) => ({ ...event, undecodable: 'sealed' }));
    expect(await sides.reads().since(then, of('a'))).toBeUndefined();
    sides.store.readAll = () => Promise.reject(fault);
    expect(await sides.reads().since(then, of('a'))).toBeUndefined();
    expect(sides.errors).toEqual([fault]);
  });

  it('are looked after for all who ask meanwhile, never by a look that began before', async () => {
    const sides = new Sides();
    const reads = sides.reads();
    const then = (sides.places = sides.at(await sides.happens('a')));
    let open: () => void = () => undefined;
    sides.gate = new Promise((resolve) => (open = resolve));
    const first = reads.since(then, of('a'));
    await new Promise(setImmediate);
    sides.places = sides.at(await sides.happens('a'));
    const later = [reads.since(then, of('a')), reads.since(then, of('a'))];
    open();
    expect(await first).toEqual(then);
    expect(await Promise.all(later)).toEqual([undefined, undefined]);
    expect(sides.looks).toBe(2);
  });
});
