import { randomUUID } from 'node:crypto';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import pg from 'pg';

/** The server has 100 connections; some are reserved. */
const MAX_CONNECTIONS = 90;

/** Uses one connection per client; the default of ten would be a bottleneck. */
export function openStore(url, clients) {
  const pool = new pg.Pool({ connectionString: url, max: Math.min(clients, MAX_CONNECTIONS) });
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool } });
  const close = async () => {
    await store.close();
    if (!pool.ending) await pool.end();
  };
  return { store, close };
}

/** The same bytes as in the benchmark of Nimo. */
export function voteCast() {
  const id = randomUUID();
  return {
    type: 'VoteCast',
    data: {
      postType: 'QUESTION',
      postId: id,
      questionId: id,
      spaceId: id,
      postAuthorId: id,
      voterId: id,
      direction: 'UP',
      voterIsStandIn: false,
    },
    metadata: {
      occurredAt: '2026-11-21T08:00:00.000Z',
      recordedAt: '2026-11-21T08:00:00.000Z',
      actor: { kind: 'student', id },
      commandId: id,
      correlationId: id,
      causationId: id,
      schemaVersion: 1,
    },
  };
}
