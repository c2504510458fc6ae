import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ColumnType, ColumnValue, Row } from '../projection.js';
import { Turn } from '../turn.js';
import { columnLiteral } from './column-values.js';

const CHUNK = 2 ** 16;

export interface CopiedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * Brings rows into a table that has none of their keys: the fastest way there is. The connection must have no statement under way, and
 * takes none until this has ended.
 */
export async function copyRows(
  client: PoolClient,
  table: string,
  columns: readonly CopiedColumn[],
  rows: readonly Row[],
): Promise<void> {
  const list = columns.map(({ name }) => `"${name}"`).join(', ');
  const into = copyFrom(`copy ${table} (${list}) from stdin`);
  await sendingNothingAhead(client, async () => {
    client.query(into);
    await pipeline(Readable.from(chunksOf(columns, rows)), into);
  });
}

/** The driver takes no stream on a connection that sends statements ahead of their answers, as whatever is sent behind it would end up in it. */
async function sendingNothingAhead(client: { pipeline: boolean }, work: () => Promise<void>): Promise<void> {
  const before = client.pipeline;
  client.pipeline = false;
  try {
    await work();
  } finally {
    client.pipeline = before;
  }
}

async function* chunksOf(columns: readonly CopiedColumn[], rows: readonly Row[]): AsyncGenerator<Buffer> {
  const turn = new Turn();
  let text = '';
  for (const row of rows) {
    text += copiedRow(columns, row);
    if (text.length < CHUNK) continue;
    yield Buffer.from(text);
    text = '';
    if (turn.isOver) await turn.pass();
  }
  if (text !== '') yield Buffer.from(text);
}

/** A line of COPY's text format. */
function copiedRow(columns: readonly CopiedColumn[], row: Row): string {
  let line = '';
  let separator = '';
  for (const { name, type } of columns) {
    const value = row[name];
    line += separator;
    separator = '\t';
    line += value === null || value === undefined ? '\\N' : COPIED[type](value);
  }
  return line + '\n';
}

const plain = String;
const COPIED: Record<ColumnType, (value: NonNullable<ColumnValue>) => string> = {
  text: (value) => escaped(value as string),
  bigint: plain,
  integer: plain,
  boolean: plain,
  timestamptz: (value) => value as string,
  jsonb: (value) => escaped(JSON.stringify(value)),
  'text[]': (value) => escaped(columnLiteral('text', value as readonly string[])),
};

const NEEDS_ESCAPE = /[\\\n\r\t]/;
const ALL_ESCAPED = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replace(ALL_ESCAPED, (found) => ESCAPES[found] ?? found) : text;
