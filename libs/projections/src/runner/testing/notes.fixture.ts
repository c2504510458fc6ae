import type { Append } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import { historySeed } from '../../../../../test/seed.js';
import { SeededRandom } from '../../../../../test/seeded-random.js';
import type {
  CounterIncrement,
  ProjectedEvent,
  Projection,
  Row,
  RowChange,
  Table,
} from '../../projection.js';

/** A made-up product, so that the runner's tests stand apart from the real read models. */
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

export function noteEventOf(event: ProjectedEvent): NoteEvent {
  return { type: event.type, ...event.data } as unknown as NoteEvent;
}

export interface NoteRow extends Row {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly words: readonly string[];
  readonly history: object;
  readonly edits: number;
  readonly written_ordinal: number;
}

export interface NotesOptions {
  readonly name?: string;
  readonly version?: number;
  /** Throws for the events that it does not like. */
  readonly refuse?: (event: NoteEvent) => void;
  readonly onBatchEnd?: (sql: (text: string, values?: readonly unknown[]) => Promise<Row[]>) => Promise<void>;
}

/** Rows that come, change and go; counters by author; and a table that is written by SQL at the end of each batch. */
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
      async run(changes, sql) {
        await onBatchEnd?.(sql);
        const authors = authorsOf(changes.get(name) ?? []);
        await sql(`delete from {${name}_longest} where author = any($1)`, [authors]);
        await sql(
          `insert into {${name}_longest} (author, length)
           select author, max(length(text)) from {${name}} where author = any($1) group by author`,
          [authors],
        );
      },
    },
  };
}

function notesTable(name: string, refuse: NotesOptions['refuse']): Table {
  const table: Table<NoteRow> = {
    name,
    columns: {
      id: { type: 'text' },
      author: { type: 'text' },
      text: { type: 'text' },
      words: { type: 'text[]' },
      history: { type: 'jsonb' },
      edits: { type: 'integer' },
      written_ordinal: { type: 'bigint' },
    },
    key: ['id'],
    indexes: [`create index ${name}_author_{suffix} on {table} (author)`],
    keysOf(event) {
      const note = noteEventOf(event);
      return 'id' in note ? [[note.id]] : [];
    },
    fold(row, event) {
      const note = noteEventOf(event);
      refuse?.(note);
      return foldNote(row, note, event.ordinal);
    },
  };
  // The runner handles rows of any shape; the fold knows its own.
  return table;
}

function foldNote(row: NoteRow | undefined, note: NoteEvent, ordinal: number): NoteRow | undefined {
  switch (note.type) {
    case 'NoteWritten':
      return {
        id: note.id,
        author: note.author,
        text: note.text,
        words: note.text.split(' '),
        history: [note.text],
        edits: 0,
        written_ordinal: ordinal,
      };
    case 'NoteEdited':
      return row && withText(row, note.text);
    case 'NoteHandedOver':
      return row && { ...row, author: note.author };
    case 'NoteDeleted':
      return undefined;
    default:
      return row;
  }
}

function withText(row: NoteRow, text: string): NoteRow {
  const history = [...(row.history as readonly string[]).slice(-2), text];
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

/** A life of some notes: written, edited, handed over, deleted, and touched after they are gone. */
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
