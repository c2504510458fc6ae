import { isoTime, type Queryable } from '../queryable.js';
import { ALL } from '../totals.js';

/** A space that search engines may know, with the number of its questions. */
export interface IndexedSpace {
  readonly spaceId: string;
  readonly questions: number;
}

/** The largest first; spaces that are kept out of search engines or have no questions are not among them. */
export async function listIndexedSpaces(db: Queryable, limit: number): Promise<IndexedSpace[]> {
  const { rows } = await db.query<IndexedSpace>({
    name: 'indexed-spaces',
    text: `select s.space_id as "spaceId", (t.solved + t.unsolved)::int as questions
           from read.spaces s
           join read.question_totals t on t.space_id = s.space_id and t.subject_id = '${ALL}' and t.topic_id = '${ALL}'
           where not s.is_hidden_from_search_engines and s.has_public_pages and t.solved + t.unsolved > 0
           order by questions desc, s.space_id limit $1`,
    values: [limit],
  });
  return rows;
}

export interface IndexedQuestion {
  readonly _id: string;
  readonly changedAt: string;
}

/** Questions of such a space, the newest first; none of one that is kept out. */
export async function listIndexedQuestions(
  db: Queryable,
  { spaceId, page, limit }: { readonly spaceId: string; readonly page: number; readonly limit: number },
): Promise<IndexedQuestion[]> {
  const { rows } = await db.query<IndexedQuestion>({
    name: 'indexed-questions',
    text: `select q.question_id as "_id", ${isoTime('coalesce(q.edited_at, q.created_at)')} as "changedAt"
           from read.spaces s join read.questions q on q.space_id = s.space_id and not q.is_removed
           where s.space_id = $1 and not s.is_hidden_from_search_engines and s.has_public_pages
           order by q.created_at desc, q.question_id desc offset $2 limit $3`,
    values: [spaceId, (page - 1) * limit, limit],
  });
  return rows;
}
