import type pg from 'pg';
import type { AppendOutcome, ExpectedRevision } from '../port.js';
import { formatPosition } from '../numeric-position.js';
import type { PreparedAppend } from '../prepare-append.js';

const APPEND_SQL = `select append_number, outcome, last_position, last_revision
  from log.append_events($1::text[], $2::bigint[], $3::int[], $4::uuid[], $5::text[], $6::text, $7::text)
  order by append_number`;

/** `query_timeout` is enforced by the client, which discards the connection afterwards. */
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
    // Arrays that need no quoting are joined here; the driver would escape each element.
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

const MAX_GROUP_APPENDS = 64;
const MAX_GROUP_BYTES = 4_000_000;

interface Waiting {
  readonly append: PreparedAppend;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

type AppendGroup = (appends: readonly PreparedAppend[]) => Promise<AppendOutcome[]>;

/**
 * Group commit: appends that arrive while a group is being written form the next one, so that they share one lock and one fsync.
 * Streams and event ids are distinct within a group; a second append to a stream waits for the next group.
 */
export class AppendQueue {
  private readonly appendGroup: AppendGroup;
  private waiting: Waiting[] = [];
  private draining: Promise<void> | undefined;

  constructor(appendGroup: AppendGroup) {
    this.appendGroup = appendGroup;
  }

  async push(appends: readonly PreparedAppend[]): Promise<AppendOutcome[]> {
    const outcomes = appends.map(
      (append) =>
        new Promise<AppendOutcome>((resolve, reject) => {
          this.waiting.push({ append, resolve, reject });
        }),
    );
    this.draining ??= this.drain();
    return Promise.all(outcomes);
  }

  /** Resolves when no append is in flight. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    // Groups appends made in the same turn of the event loop.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const group = this.takeGroup();
      try {
        const outcomes = await this.appendGroup(group.map(({ append }) => append));
        group.forEach(({ resolve, reject }, index) => {
          const outcome = outcomes[index];
          if (outcome === undefined) reject(new Error('the log returned fewer outcomes than appends'));
          else resolve(outcome);
        });
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.draining = undefined;
  }

  private takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const later: Waiting[] = [];
    const streams = new Set<string>();
    const ids = new Set<string>();
    let bytes = 0;
    for (const waiting of this.waiting) {
      const { streamId, events, bytes: size } = waiting.append;
      const isFull =
        group.length > 0 && (group.length === MAX_GROUP_APPENDS || bytes + size > MAX_GROUP_BYTES);
      // Once one append to a stream is deferred, the later ones are too, which keeps their order.
      if (isFull || streams.has(streamId) || events.some(({ id }) => ids.has(id))) later.push(waiting);
      else {
        group.push(waiting);
        bytes += size;
        for (const { id } of events) ids.add(id);
      }
      streams.add(streamId);
    }
    this.waiting = later;
    return group;
  }
}
