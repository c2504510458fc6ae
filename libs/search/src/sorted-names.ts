import type { Queryable } from '@nimo/projections';
import type { NameSearch, SearchSort, Slice } from './search-engine.js';

/** Only the best matches are sorted. */
const MAX_SORTED = 1_000;

type NameSort = Exclude<SearchSort, 'BEST'>;
type FindNames = (window: Slice) => Promise<readonly string[]>;

/** By newest question, or by question count. */
const TOPICS: Readonly<Record<NameSort, string>> = {
  NEWEST: `
    select t.topic_id as id, (select max(q.created_at) from read.questions q
      where q.space_id = t.space_id and q.topic_id = t.topic_id and not q.is_removed) as sorting
    from read.topics t where t.space_id = $1 and t.topic_id = any($2::text[])`,
  MOST_ANSWERED: `
    select t.topic_id as id, coalesce(c.solved + c.unsolved, 0) as sorting
    from read.topics t
    left join read.question_totals c on c.space_id = t.space_id and c.subject_id = '' and c.topic_id = t.topic_id
    where t.space_id = $1 and t.topic_id = any($2::text[])`,
};

/** By join date, or by answer count. */
const PEOPLE: Readonly<Record<NameSort, string>> = {
  NEWEST: `
    select m.student_id as id, m.joined_at as sorting
    from read.memberships m where m.space_id = $1 and m.student_id = any($2::text[])`,
  MOST_ANSWERED: `
    select m.student_id as id, coalesce(l.questions_answered, 0) as sorting
    from read.memberships m left join read.leaderboard l on l.space_id = m.space_id and l.student_id = m.student_id
    where m.space_id = $1 and m.student_id = any($2::text[])`,
};

async function sorted(
  db: Queryable,
  text: string,
  { spaceId, skip, limit }: Omit<NameSearch, 'text'>,
  find: FindNames,
): Promise<readonly string[]> {
  const found = await find({ skip: 0, limit: MAX_SORTED });
  const { rows } = await db.query<{ id: string }>({
    // Ties keep the order of relevance.
    text: `select id from (${text}) named
           order by sorting desc nulls last, array_position($2::text[], id) offset $3 limit $4`,
    values: [spaceId, found, skip, limit],
  });
  return rows.map(({ id }) => id);
}

type SortedNameSearch = Omit<NameSearch, 'text'> & { readonly sort: SearchSort };

/** Ids found by `find`, in the requested order. */
export const sortedTopics = (db: Queryable, { sort, ...search }: SortedNameSearch, find: FindNames) =>
  sort === 'BEST' ? find(search) : sorted(db, TOPICS[sort], search, find);

export const sortedPeople = (db: Queryable, { sort, ...search }: SortedNameSearch, find: FindNames) =>
  sort === 'BEST' ? find(search) : sorted(db, PEOPLE[sort], search, find);
