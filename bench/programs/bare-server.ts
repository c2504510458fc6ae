import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openPool } from '@nimo/event-store';

/**
 * Serves the same rows with bare SQL through a plain Node server: close to the maximum possible without framework, GraphQL and access rules.
 * Routes: `/dashboard/<space>/<student>`, `/question/<question>/<student>`, `/search/<space>/<tsquery>`, `/commit`.
 */
const [url = ''] = process.argv.slice(2);
const pool = openPool({ connectionString: url, max: 16 });

const CARD = `
  select q.question_id, q.title, q.body, q.created_at, q.answer_count, q.comments_count, q.accepted_answer_id,
    coalesce(v.upvotes, 0) as upvotes, coalesce(v.downvotes, 0) as downvotes,
    j.subject_id, j.subject_name, j.color, t.topic_id, t.topic_name,
    a.student_id, a.user_name, a.first_name, a.last_name, a.real_profile_pic_url`;
const CARD_JOINS = `
  left join read.students a on a.student_id = q.author_id
  left join read.subjects j on j.subject_id = q.subject_id
  left join read.topics t on t.topic_id = q.topic_id
  left join read.post_votes v on v.post_id = q.question_id`;
const PAGE = `
  from (select * from read.questions where space_id = $1 and not is_removed
        order by created_at desc, question_id desc limit 20) q ${CARD_JOINS} order by q.created_at desc`;
const TOTAL = `select solved + unsolved as total from read.question_totals
  where space_id = $1 and subject_id = '' and topic_id = ''`;
const QUESTION = `${CARD}, q.image_urls, p.space_id, p.name,
    (select direction from read.votes w where w.post_id = q.question_id and w.voter_id = $2) as own_vote
  from read.questions q ${CARD_JOINS} left join read.spaces p on p.space_id = q.space_id where q.question_id = $1`;
const ANSWERS = `
  select x.*, a.user_name, a.first_name, a.last_name, a.real_profile_pic_url,
    coalesce(v.upvotes, 0) as upvotes, coalesce(v.downvotes, 0) as downvotes,
    (select direction from read.votes w where w.post_id = x.answer_id and w.voter_id = $2) as own_vote
  from read.answers x left join read.students a on a.student_id = x.author_id
  left join read.post_votes v on v.post_id = x.answer_id
  where x.question_id = $1 and not x.is_removed order by x.created_at`;
const COMMENTS = `
  select c.*, a.user_name, a.first_name, a.last_name, a.real_profile_pic_url
  from read.comments c left join read.students a on a.student_id = c.author_id
  where c.parent_id = any($1::text[]) and not c.is_removed order by c.created_at`;

const SEARCH = `${CARD}
  from (select b.question_id, ts_rank(b.words, wanted) as rank
        from public.bare_search b, to_tsquery('simple', $2) wanted
        where b.space_id = $1 and b.words @@ wanted order by rank desc limit 10) hit
  join read.questions q on q.question_id = hit.question_id ${CARD_JOINS} order by hit.rank desc`;

const rows = async (name: string, text: string, values: readonly unknown[]): Promise<unknown[]> =>
  (await pool.query({ name, text, values: [...values] })).rows;

const ROUTES: Readonly<Record<string, (first: string, second: string) => Promise<unknown>>> = {
  dashboard: async (spaceId) => {
    const [docs, total] = await Promise.all([
      rows('page', CARD + PAGE, [spaceId]),
      rows('total', TOTAL, [spaceId]),
    ]);
    return { docs, total };
  },
  question: async (questionId, studentId) => {
    const [question, answers] = await Promise.all([
      rows('question', QUESTION, [questionId, studentId]),
      rows('answers', ANSWERS, [questionId, studentId]),
    ]);
    const parents = [questionId, ...answers.map((answer) => (answer as { answer_id: string }).answer_id)];
    return { question, answers, comments: await rows('comments', COMMENTS, [parents]) };
  },
  search: (spaceId, tsquery) => rows('search', SEARCH, [spaceId, decodeURIComponent(tsquery)]),
  commit: async () =>
    rows('commit', 'insert into public.bare values ($1, $2)', [randomUUID(), 'x'.repeat(400)]),
};

async function respond({ url: path = '' }: IncomingMessage): Promise<unknown> {
  const [, route = '', first = '', second = ''] = path.split('/');
  const serve = ROUTES[route];
  if (!serve) throw new Error(`no route ${path}`);
  return serve(first, second);
}

await pool.query('create table if not exists public.bare (id uuid primary key, body text)');
const server = createServer((request, response) => {
  respond(request).then(
    (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('SIGTERM', () => process.exit(0));
