import type { EventStore } from '@nimo/event-store';
import pg from 'pg';
import { readWholeLog } from './places.fixture.js';

/** An erasure may change only the student's rows of a view, and in them only these columns. */
interface OwnRows {
  readonly owner: string;
  /** `row` if the whole row goes. */
  readonly changes: readonly string[] | 'row';
}

/** Views that show who the student is, or what staff wrote about them. */
const IDENTITY_ROWS: Readonly<Record<string, OwnRows>> = {
  students: {
    owner: 'student_id',
    changes: [
      ...['user_name', 'first_name', 'last_name', 'profile_desc', 'real_profile_pic_url', 'phone', 'email'],
      ...['user_name_key', 'is_erased', 'is_phone_verified', 'is_email_confirmed'],
    ],
  },
  search_names: { owner: 'name_id', changes: ['name', 'is_erased', 'is_findable', 'version'] },
  staff_words: { owner: 'student_id', changes: 'row' },
  entry_requests: { owner: 'student_id', changes: 'row' },
  stated_ages: { owner: 'student_id', changes: 'row' },
  student_blocks: { owner: 'student_id', changes: 'row' },
  student_notes: { owner: 'student_id', changes: 'row' },
  pictures: { owner: 'holder_id', changes: 'row' },
};
/** Views that show the student's posts. */
const POST_ROWS: Readonly<Record<string, OwnRows>> = {
  questions: { owner: 'author_id', changes: ['title', 'body', 'excerpt', 'tags', 'image_urls'] },
  answers: { owner: 'author_id', changes: ['body', 'image_urls'] },
  comments: { owner: 'author_id', changes: ['body'] },
  search_documents: {
    owner: 'author_id',
    changes: ['title', 'title_words', 'body', 'body_words', 'tags', 'tag_words', 'version', 'text_version'],
  },
};
/** Views with a row for each event, to which the erasure appends. */
const EVENT_VIEWS: ReadonlySet<string> = new Set(['audit_entries', 'question_events']);

type Row = Readonly<Record<string, unknown>>;

/** All rows of the views of `read`, as JSON, without those of events after the first ones. */
export async function readRows(pool: pg.Pool, events: number): Promise<ReadonlyMap<string, readonly Row[]>> {
  const { rows: views } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.views where table_schema = 'read' order by 1`,
  );
  const found = new Map<string, readonly Row[]>();
  for (const { name } of views) {
    const { rows } = await pool.query<{ row: Row }>(
      `select to_jsonb(v) as row from read.${pg.escapeIdentifier(name)} v order by to_jsonb(v)::text collate "C"`,
    );
    const isShown = (row: Row) => !EVENT_VIEWS.has(name) || Number(row['ordinal']) <= events;
    found.set(name, rows.map(({ row }) => row).filter(isShown));
  }
  return found;
}

export interface Erasee {
  readonly studentId: string;
  readonly withWords: boolean;
  /** Number of events before the erasure. */
  readonly events: number;
}

/** Rows of the read models as text, without those that the erasure appends and what it may change. */
export async function lastingRows(pool: pg.Pool, erasee: Erasee): Promise<readonly string[]> {
  const { studentId, withWords, events } = erasee;
  const views = await readRows(pool, events);
  const posts = ['questions', 'answers'].flatMap((name) =>
    (views.get(name) ?? []).flatMap((row) =>
      row['author_id'] === studentId ? [row['question_id'], row['answer_id']] : [],
    ),
  );
  const owners = new Set<unknown>([studentId, ...(withWords ? posts : [])]);
  const own = withWords ? { ...IDENTITY_ROWS, ...POST_ROWS } : IDENTITY_ROWS;
  const lasting = (view: string, row: Row): Row | undefined => {
    const rule = own[view];
    if (!rule || !owners.has(row[rule.owner])) return row;
    if (rule.changes === 'row') return undefined;
    const { changes } = rule;
    return Object.fromEntries(Object.entries(row).filter(([column]) => !changes.includes(column)));
  };
  return [...views]
    .flatMap(([view, rows]) => rows.flatMap((row) => lasting(view, row) ?? []).map((row) => [view, row]))
    .map((line) => JSON.stringify(line))
    .sort();
}

/** Tables of `state` that background work or logins change at any time. */
const BUSY_TABLES: ReadonlySet<string> = new Set([
  ...[
    'backup',
    'erasure',
    'log_chain_position',
    'log_verification',
    'reactors',
    'search_collections',
    'search_sync',
  ],
  // Caches, counters and hashes, which expire.
  ...['stream_snapshots', 'throttle', 'login_attempt', 'otp', 'session', 'claim_check'],
]);

/** A destroyed key, and an export without file and owner, until a job deletes it. */
const LEFT_OVER = /^student_key \([^,]+,claim,,,|^data_export \([^,]+,"",/;

/** Rows of `state` that contain none of the values, without those that an erasure leaves instead of the student's. */
export async function stateRowsWithout(pool: pg.Pool, values: readonly string[]): Promise<readonly string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'state' order by 1`,
  );
  const own = values.map((value) => value.toLowerCase());
  const found: string[] = [];
  for (const { name } of tables.filter((table) => !BUSY_TABLES.has(table.name))) {
    const { rows } = await pool.query<{ row: string }>(
      `select t::text as row from state.${pg.escapeIdentifier(name)} t`,
    );
    found.push(...rows.map(({ row }) => `${name} ${row}`).filter((row) => !LEFT_OVER.test(row)));
  }
  return found.filter((row) => !own.some((value) => row.toLowerCase().includes(value))).sort();
}

/** The first events of the log, as stored. */
export async function storedEvents(pool: pg.Pool, count: number): Promise<readonly string[]> {
  const { rows } = await pool.query<{ row: string }>(
    'select e::text as row from log.events e order by position limit $1',
    [count],
  );
  return rows.map(({ row }) => row);
}

/** Those of the first events of the log that do not name the student and are not on the claims, as decoded. */
export async function eventsOfOthers(
  store: EventStore,
  { studentId, claims }: { readonly studentId: string; readonly claims: ReadonlySet<string> },
  count: number,
): Promise<readonly string[]> {
  const events = (await readWholeLog(store)).slice(0, count).filter(({ streamId }) => !claims.has(streamId));
  const others = events.map(({ type, streamId, data, metadata }) => [streamId, type, data, metadata]);
  return others.map((event) => JSON.stringify(event)).filter((text) => !text.includes(studentId));
}
