import { literally, type Queryable } from '../queryable.js';
import { searchTopics } from '../spaces/spaces.queries.js';
import { searchMembers } from '../students/students.queries.js';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  TopicNameSearch,
} from './search-engine.js';

interface PostRow {
  id: string;
  title: string;
  excerpt: string;
}

const hitFrom = ({ id, title, excerpt }: PostRow): PostHit => ({
  id,
  title: [{ text: title, isMatch: false }],
  excerpt: [{ text: excerpt, isMatch: false }],
});

export class PostgresSearch implements SearchEngine {
  constructor(private readonly db: Queryable) {}

  async findQuestions(search: QuestionSearch): Promise<PostHit[]> {
    const { rows } = await this.db.query<PostRow>({
      text: `select q.question_id as id, q.title, q.excerpt from read.questions q
             where q.space_id = $1 and not q.is_removed and (q.title ilike $2 or q.body ilike $2)
               and ($3::text is null or q.subject_id = $3) and ($4::text is null or q.topic_id = $4)
               and ($5::text is null or q.author_id = $5)
               and ($6::boolean is null or (q.accepted_answer_id is not null) = $6)
               and ($7::text is null or exists (select from read.bookmarks b where b.question_id = q.question_id and b.student_id = $7))
             order by ${search.sort === 'MOST_ANSWERED' ? 'q.answer_count desc,' : ''} q.created_at desc offset $8 limit $9`,
      values: [
        search.spaceId,
        `%${literally(search.text.trim())}%`,
        search.subjectId ?? null,
        search.topicId ?? null,
        search.authorId ?? null,
        search.isSolved ?? null,
        search.savedBy ?? null,
        search.skip,
        search.limit,
      ],
    });
    return rows.map(hitFrom);
  }

  async findAnswers({ spaceId, text, subjectId, topicId, skip, limit }: PostSearch): Promise<PostHit[]> {
    const { rows } = await this.db.query<PostRow>({
      text: `select x.answer_id as id, q.title, left(x.body, 160) as excerpt
             from read.answers x join read.questions q on q.question_id = x.question_id
             where x.space_id = $1 and not x.is_removed and not q.is_removed and x.body ilike $2
               and ($3::text is null or q.subject_id = $3) and ($4::text is null or q.topic_id = $4)
             order by x.created_at desc offset $5 limit $6`,
      values: [spaceId, `%${literally(text.trim())}%`, subjectId ?? null, topicId ?? null, skip, limit],
    });
    return rows.map(hitFrom);
  }

  async findTopics({ text, ...search }: TopicNameSearch): Promise<string[]> {
    return (await searchTopics(this.db, { ...search, search: text })).map(({ _id }) => _id);
  }

  async findPeople({ text, ...search }: NameSearch): Promise<string[]> {
    return (await searchMembers(this.db, { ...search, search: text })).map(({ _id }) => _id);
  }
}
