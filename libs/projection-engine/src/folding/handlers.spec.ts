import { describe, expect, it } from '@jest/globals';
import {
  type Columns,
  type Handler,
  typedColumn,
  onEach,
  type ProjectedEvent,
  type RowOf,
  type Table,
  type Typed,
} from '../projection.js';
import { tableShapes } from '../storage/table-shape.js';
import { foldInMemory } from './fold-batch.js';
import { eventTypesOf, foldRow, keysOf } from './handlers.js';

const COLUMNS = {
  id: { type: 'text' },
  colour: typedColumn<'red' | 'blue'>('text'),
  marks: { ...typedColumn<readonly { readonly by: string }[]>('jsonb'), nullable: true },
} as const satisfies Columns;
type ThingRow = RowOf<typeof COLUMNS>;

type ThingEvent = ProjectedEvent &
  (
    | { readonly type: 'ThingMade'; readonly data: { readonly id: string; readonly colour: 'red' | 'blue' } }
    | { readonly type: 'ThingMarked'; readonly data: { readonly id: string; readonly by: string } }
    | { readonly type: 'ThingsLost' | 'ThingsStolen'; readonly data: { readonly ids: readonly string[] } }
  );

const things: Table<ThingRow, ThingEvent> = {
  name: 'things',
  columns: COLUMNS,
  key: ['id'],
  on: {
    ThingMade: {
      keys: ({ data }) => [[data.id]],
      fold: (row, { data: { id, colour } }) => row ?? { id, colour, marks: null },
    },
    ThingMarked: {
      keys: ({ data }) => [[data.id]],
      change: (row, { data: { by } }) => ({ ...row, marks: [...(row.marks ?? []), { by }] }),
    },
    ...onEach(['ThingsLost', 'ThingsStolen'], {
      keys: ({ data }: { readonly data: { readonly ids: readonly string[] } }) => data.ids.map((id) => [id]),
      change: () => undefined,
    }),
  },
};
const { on: _, ...silent } = things;
const deaf: Table<ThingRow, ThingEvent> = { ...silent, name: 'deaf', on: {} };

let ordinal = 0;
const event = (type: string, data: object, undecodable?: string): ProjectedEvent => ({
  id: `${(ordinal += 1)}`,
  streamId: 'things',
  ordinal,
  metadata: {},
  type,
  data,
  ...(undecodable === undefined ? {} : { undecodable }),
});
const made = event('ThingMade', { id: 'a', colour: 'red' });
const marked = event('ThingMarked', { id: 'a', by: 'ann' });

describe('table handlers', () => {
  it('fold each event with the handler of its type', () => {
    expect(foldInMemory(things, [made, marked])).toEqual([
      { id: 'a', colour: 'red', marks: [{ by: 'ann' }] },
    ]);
    expect(foldInMemory(things, [made, marked, event('ThingsStolen', { ids: ['b', 'a', 'a'] })])).toEqual([]);
  });

  it('do not create a row with `change`', () => {
    expect(foldInMemory(things, [marked])).toEqual([]);
    expect(foldRow(things, undefined, marked, ['a'])).toBeUndefined();
  });

  it('ignore events of other types, including names of Object.prototype', () => {
    const row: ThingRow = { id: 'a', colour: 'blue', marks: null };
    for (const type of ['ThingSeen', 'constructor', 'toString', '__proto__', '']) {
      expect(keysOf(things, event(type, { id: 'a' }))).toEqual([]);
      expect(foldRow(things, row, event(type, { id: 'a' }), ['a'])).toBe(row);
    }
  });

  it('reject an undecodable event only if they handle its type', () => {
    const broken = (type: string) => [made, event(type, {}, 'unknown format')];
    for (const type of ['ThingMade', 'ThingMarked', 'ThingsLost'])
      expect(() => foldInMemory(things, broken(type))).toThrow(`${type} cannot be decoded: unknown format`);
    expect(foldInMemory(things, broken('ThingSeen'))).toHaveLength(1);
    expect(foldInMemory(deaf, broken('ThingMade'))).toEqual([]);
  });

  it('list the event types of a projection without duplicates', () => {
    expect(eventTypesOf({ tables: [things, deaf, things] })).toEqual([
      'ThingMade',
      'ThingMarked',
      'ThingsLost',
      'ThingsStolen',
    ]);
    expect(eventTypesOf({ tables: [deaf] })).toEqual([]);
  });

  it('give rows the types of their columns', () => {
    const [shape] = tableShapes({ name: 'things', purpose: 'Things', version: 1, tables: [deaf] });
    expect(shape?.columns).toEqual({
      id: { type: 'text' },
      colour: { type: 'text' },
      marks: { type: 'jsonb', nullable: true },
    });
    const row: ThingRow = { id: 'a', colour: 'red', marks: [{ by: 'ann' }] };
    // @ts-expect-error May be null.
    expect(row.marks.length).toBe(1);
    // @ts-expect-error Not one of the two colours.
    expect(row.colour === 'green').toBe(false);
  });

  it('either fold or change rows of their table with events of their type', () => {
    type Marking = Handler<ThingRow, Typed<ThingEvent, 'ThingMarked'>>;
    const keys = ({ data }: Typed<ThingEvent, 'ThingMarked'>) => [[data.id]];
    const handlers: readonly Marking[] = [
      { keys, change: (row) => row },
      // @ts-expect-error Neither.
      { keys },
      // @ts-expect-error Both.
      { keys, change: (row) => row, fold: (row) => row },
      // @ts-expect-error Events of another type.
      { keys: ({ data }: Typed<ThingEvent, 'ThingMade'>) => [[data.colour]], change: (row) => row },
      // @ts-expect-error Not one of the two colours.
      { keys, change: (row) => ({ ...row, colour: 'green' }) },
    ];
    const table: Partial<Table<ThingRow, ThingEvent>> = {
      // @ts-expect-error No such event.
      on: { ThingSeen: { keys: () => [], change: () => undefined } },
    };
    expect([handlers.length, Object.keys(table)]).toEqual([5, ['on']]);
  });
});
