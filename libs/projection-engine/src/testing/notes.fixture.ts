import type { Append } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import { historySeed, SeededRandom } from '@nimo/testing';
import { folded } from '../folding/handlers.js';
import type {
  Columns,
  CounterIncrement,
  Handler,
  Key,
  ProjectedEvent,
  Projection,
  Row,
  RowChange,
  RowOf,
  Table,
} from '../projection.js';
import { typedColumn } from '../projection.js';

/** A made-up product, so that engine tests do not depend on the real read models. */
export type NoteEvent =
  | { readonly type: 'NoteWritten'; readonly id: string; readonly author: string; readonly text: string }
  | { readonly type: 'NoteEdited'; readonly id: string; readonly text: string }
  | { readonly type: 'NoteHandedOver'; readonly id: string; readonly author: string }
  | { readonly type: 'NoteDeleted'; readonly id: string }
  | { readonly type: 'SomethingElse' };

export function appendOf(event: NoteEvent): Append {
  const { type, ...data } = event;
  const streamId = 'id' in event ? `note-${event.id}` : 'elsewhere-1';
  return { streamId, expectedRevision: 'any', events: [{ id: randomUUID(), type, data, metadata: {} }] };
}

function noteEventOf(event: ProjectedEvent): NoteEvent {
  return { type: event.type, ...event.data } as unknown as NoteEvent;
}

const COLUMNS = {
  id: { type: 'text' },
  author: { type: 'text' },
  text: { type: 'text' },
  words: { type: 'text[]' },
  history: typedColumn<readonly string[]>('jsonb'),
  edits: { type: 'integer' },
  written_ordinal: { type: 'bigint' },
} as const satisfies Columns;

export type NoteRow = RowOf<typeof COLUMNS>;

export interface NotesOptions {
  readonly name?: string;
  readonly version?: number;
  /** Throws for events that the fold should fail on. */
  readonly refuse?: (event: NoteEvent) => void;
  readonly onBatchEnd?: (sql: (text: string, values?: readonly unknown[]) => Promise<Row[]>) => Promise<void>;
}

/** Notes, counters by author, and a table written by SQL at the end of each batch. */
export function notesProjection({
  name = 'notes',
  version = 1,
  refuse,
  onBatchEnd,
}: NotesOptions = {}): Projection {
  return {
    name,
    purpose: 'Notes',
    version,
    tables: [notesTable(name, refuse)],
    counters: [
      {
        name: `${name}_by_author`,
        key: ['author'],
        counters: ['notes', 'edits'],
        source: name,
        increments: ({ before, after }) => [...counted(before, -1), ...counted(after, 1)],
      },
    ],
    batchEnd: {
      tables: [
        {
          name: `${name}_longest`,
          columns: { author: { type: 'text' }, length: { type: 'bigint' } },
          key: ['author'],
        },
      ],
      async run(changes, sql, { rebuilding }) {
        await onBatchEnd?.(sql);
        if (rebuilding) return;
        const authors = authorsOf(changes.get(name) ?? []);
        await sql(`delete from {${name}_longest} where author = any($1)`, [authors]);
        await sql(
          `insert into {${name}_longest} (author, length)
           select author, max(length(text)) from {${name}} where author = any($1) group by author`,
          [authors],
        );
      },
      async finishRebuild(sql) {
        await sql(`delete from {${name}_longest}`);
        await sql(
          `insert into {${name}_longest} (author, length) select author, max(length(text)) from {${name}} group by author`,
        );
      },
    },
  };
}

/** A note event as folds see it. */
type ProjectedNote<E extends NoteEvent = NoteEvent> = E extends NoteEvent
  ? ProjectedEvent & { readonly type: E['type']; readonly data: Omit<E, 'type'> }
  : never;
type NotesTable = Table<NoteRow, ProjectedNote>;

const ofNote = ({ data }: { readonly data: { readonly id: string } }): readonly Key[] => [[data.id]];

const ON: NotesTable['on'] = {
  NoteWritten: {
    keys: ofNote,
    fold: (_, { data: { id, author, text }, ordinal }) => ({
      id,
      author,
      text,
      words: text.split(' '),
      history: [text],
      edits: 0,
      written_ordinal: ordinal,
    }),
  },
  NoteEdited: { keys: ofNote, change: (row, { data }) => withText(row, data.text) },
  NoteHandedOver: { keys: ofNote, change: (row, { data }) => ({ ...row, author: data.author }) },
  NoteDeleted: { keys: ofNote, change: () => undefined },
};

function notesTable(name: string, refuse: NotesOptions['refuse']): Table {
  const refusing = (handler: Handler): Handler => ({
    keys: (event) => handler.keys(event),
    fold(row, event, key) {
      refuse?.(noteEventOf(event));
      return folded(handler, row, event, key);
    },
  });
  return {
    name,
    columns: COLUMNS,
    key: ['id'],
    indexes: [`create index ${name}_author_{suffix} on {table} (author)`],
    // The engine is generic over rows; these handlers are not.
    on: Object.fromEntries(
      Object.entries(ON).map(([type, handler]) => [type, refusing(handler as unknown as Handler)]),
    ),
  };
}

function withText(row: NoteRow, text: string): NoteRow {
  const history = [...row.history.slice(-2), text];
  return { ...row, text, words: text.split(' '), history, edits: row.edits + 1 };
}

function counted(row: Row | undefined, sign: number): CounterIncrement[] {
  if (!row) return [];
  const note = row as NoteRow;
  return [{ key: [note.author], by: { notes: sign, edits: sign * note.edits } }];
}

function authorsOf(changes: readonly RowChange[]): string[] {
  const rows = changes.flatMap(({ before, after }) => [before, after]);
  return [...new Set(rows.flatMap((row) => (row ? [(row as NoteRow).author] : [])))];
}

/** A random history of some notes: written, edited, handed over, deleted, and touched after deletion. */
export function randomNotes(count: number, seed = historySeed()): NoteEvent[] {
  const chance = new SeededRandom(seed);
  const ids = Array.from({ length: Math.ceil(count / 8) }, () => randomUUID());
  const one = <T>(items: readonly [T, ...T[]]): T => chance.pick(items) ?? items[0];
  return Array.from({ length: count }, () => {
    const id = one(ids as [string, ...string[]]);
    const author = one(['ann', 'ben', 'chi "the quote"', 'd\\é, {x}']);
    const text = one(['short', 'a "quoted", {braced} \\ text', '', 'naïve 🙂 NULL', `${chance.next()}`]);
    return one<NoteEvent>([
      { type: 'NoteWritten', id, author, text },
      { type: 'NoteEdited', id, text },
      { type: 'NoteHandedOver', id, author },
      { type: 'NoteDeleted', id },
      { type: 'SomethingElse' },
    ]);
  });
}
