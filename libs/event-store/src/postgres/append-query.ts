import type pg from 'pg';
import type { AppendOutcome, ExpectedRevision } from '../port.js';
import { formatPosition } from '../numeric-position.js';
import type { PreparedAppend } from '../prepare-append.js';

const APPEND_SQL = `SELECT append_number, outcome, last_position, last_revision
  FROM log.append_events($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text, $7::text)
  ORDER BY append_number`;

/** `query_timeout` is the client's own: the connection of a query that ran into it is not used again. */
export interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number;
}

export function appendQuery(appends: readonly PreparedAppend[], timeoutMs: number): TimedQuery {
  const numbers: number[] = [];
  const ids: string[] = [];
  const types: string[] = [];
  const data: string[] = [];
  const metadata: string[] = [];
  appends.forEach(({ events }, index) => {
    for (const event of events) {
      numbers.push(index + 1);
      ids.push(event.id);
      types.push(event.type);
      data.push(event.data);
      metadata.push(event.metadata);
    }
  });
  const streamIds = appends.map(({ streamId }) => streamId);
  const expected = appends.map(({ expectedRevision }) => expectedNumber(expectedRevision));
  return {
    name: 'nimo-append-events',
    text: APPEND_SQL,
    // Arrays of what needs no quoting are joined by hand; the driver would escape each element.
    values: [
      streamIds,
      `{${expected.join()}}`,
      `{${numbers.join()}}`,
      `{${ids.join()}}`,
      types,
      data.join('\n'),
      metadata.join('\n'),
    ],
    query_timeout: timeoutMs,
  };
}

export type OutcomeRow = [number: number, outcome: string, position: string | null, revision: string];

export function outcomesOf(rows: readonly OutcomeRow[]): AppendOutcome[] {
  return rows.map(([, outcome, position, revision]) => {
    if (position === null) {
      const actual = Number(revision);
      return { kind: 'conflict', actualRevision: actual < 0 ? null : actual };
    }
    return {
      kind: 'appended',
      position: formatPosition(position),
      revision: Number(revision),
      duplicate: outcome === 'duplicate',
    };
  });
}

function expectedNumber(expected: ExpectedRevision): number {
  if (expected === 'any') return -2;
  return expected === 'no-stream' ? -1 : expected;
}
