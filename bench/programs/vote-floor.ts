import { randomUUID } from 'node:crypto';
import { PostgresEventStore } from '@nimo/event-store';
import fastify from 'fastify';
import { openPool } from '@nimo/event-store';

/**
 * Minimal server for the same vote: reads question and voter by key, decides, appends through the event store, writes the vote and the counts in
 * one asynchronous commit and returns the counts. No sessions, access rules, limits, snapshots, projections or GraphQL.
 * Route: `POST /vote/<question>/<voter>`.
 */
const [url = ''] = process.argv.slice(2);
const pool = openPool({ connectionString: url, max: 16, options: '-c synchronous_commit=off' });
const store = new PostgresEventStore({ pool: url, directUrl: url });

const STATE = `
  select q.author_id, q.space_id, v.direction,
    (select max(e.revision) from log.events e where e.stream_id = $3) as revision
  from floor_questions q
  left join floor_votes v on v.question_id = q.question_id and v.voter_id = $2
  where q.question_id = $1`;
const FOLD = `
  with own as (
    insert into floor_votes values ($1, $2, $3)
    on conflict (question_id, voter_id) do update set direction = excluded.direction)
  update floor_counts set upvotes = upvotes + $4 where question_id = $1 returning upvotes::int`;

interface State {
  readonly author_id: string;
  readonly space_id: string;
  readonly direction: 'UP' | 'NONE' | null;
  readonly revision: string | null;
}

async function vote(questionId: string, voterId: string): Promise<unknown> {
  const streamId = `vote-${questionId}-${voterId}`;
  const [state] = (
    await pool.query<State>({ name: 'state', text: STATE, values: [questionId, voterId, streamId] })
  ).rows;
  if (!state || state.author_id === voterId) throw new Error('this vote is not allowed');
  const direction = state.direction === 'UP' ? 'NONE' : 'UP';
  await append(streamId, state, { questionId, voterId, direction });
  const { rows } = await pool.query<{ upvotes: number }>({
    name: 'fold',
    text: FOLD,
    values: [questionId, voterId, direction, direction === 'UP' ? 1 : -1],
  });
  return { _id: questionId, upvotes: rows[0]?.upvotes, direction };
}

interface Vote {
  readonly questionId: string;
  readonly voterId: string;
  readonly direction: 'UP' | 'NONE';
}

async function append(
  streamId: string,
  state: State,
  { questionId, voterId, direction }: Vote,
): Promise<void> {
  const id = randomUUID();
  const now = new Date().toISOString();
  const [outcome] = await store.append([
    {
      streamId,
      expectedRevision: state.revision === null ? 'no-stream' : Number(state.revision),
      events: [
        {
          id,
          type: 'VoteCast',
          data: {
            postType: 'QUESTION',
            postId: questionId,
            questionId,
            spaceId: state.space_id,
            postAuthorId: state.author_id,
            voterId,
            direction,
            voterIsStandIn: false,
          },
          metadata: {
            occurredAt: now,
            recordedAt: now,
            actor: { kind: 'student', id: voterId },
            commandId: id,
            correlationId: id,
            causationId: id,
            schemaVersion: 1,
          },
        },
      ],
    },
  ]);
  if (outcome?.kind !== 'appended') throw new Error('conflicting vote of the same voter');
}

const server = fastify();
server.post<{ Params: { question: string; voter: string } }>('/vote/:question/:voter', ({ params }) =>
  vote(params.question, params.voter),
);
const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
process.send?.({ port: Number(address.port) });
process.on('SIGTERM', () => process.exit(0));
