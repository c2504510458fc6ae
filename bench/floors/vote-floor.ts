import { LOG_SCHEMA_SQL } from '@nimo/event-store';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { distribute, load } from '../load.js';
import type { RunningProduct } from '../product.js';
import { startBenchProgram } from '../programs/children.js';
import type { LoadRequest, LoadResult } from '../programs/load.js';

const DATABASE = 'bench_floor';

const TABLES = `
  create table floor_questions (question_id text primary key, author_id text not null, space_id text not null);
  create table floor_votes (question_id text, voter_id text, direction text not null, primary key (question_id, voter_id));
  create table floor_counts (question_id text primary key, upvotes bigint not null)`;

export interface VoteFloor {
  measure(): Promise<LoadResult>;
  close(): Promise<void>;
}

/** The same questions and voters as in the product, but in a separate database, so that the product's worker does not process the events. */
export async function openVoteFloor(
  { server, seconds }: BenchContext,
  { cast, signedIn }: Pick<RunningProduct, 'cast' | 'signedIn'>,
): Promise<VoteFloor> {
  await server.recreate(DATABASE);
  const url = server.url(DATABASE);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statements of [LOG_SCHEMA_SQL, TABLES]) await client.query(statements);
  const ids = cast.questions.map(({ questionId }) => questionId);
  await client.query(
    'insert into floor_questions select q, a, $3 from unnest($1::text[], $2::text[]) as t(q, a)',
    [ids, cast.questions.map(({ authorId }) => authorId), cast.spaceId],
  );
  await client.query('insert into floor_counts select q, 0 from unnest($1::text[]) as t(q)', [ids]);
  await client.query('analyze');
  await client.end();
  const child = await startBenchProgram('vote-floor', [url]);
  const requests = cast.questions.map(({ questionId, authorId }, index): LoadRequest => {
    const voters = signedIn.filter(({ studentId }) => studentId !== authorId);
    const voter = voters[index % voters.length];
    if (!voter) throw new Error('no voter is allowed to vote');
    return { path: `/vote/${questionId}/${voter.studentId}`, method: 'POST' };
  });
  return {
    measure: () =>
      load({ url: `http://127.0.0.1:${child.port}`, seconds, connections: distribute(requests) }),
    close: async () => {
      await child.stop();
      await server.drop(DATABASE);
    },
  };
}
