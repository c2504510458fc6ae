import type { InvalidationCategory, PostType } from '@nimo/domain';
import type { Queryable } from '../queryable.js';

/** Newest notices returned. */
const MAX_NOTICES = 200;

/** Notice that votes by a student or on a student's posts were invalidated or restored. Never identifies the voter. */
export interface ScoreNoticeView {
  readonly _id: string;
  /** UTC. */
  readonly day: string;
  readonly kind: 'INVALIDATED' | 'VALID_AGAIN';
  /** Whether the student cast or received the votes. */
  readonly side: 'GIVEN' | 'RECEIVED';
  readonly category: InvalidationCategory;
  readonly count: number;
  readonly post: {
    readonly _id: string;
    readonly postType: PostType;
    readonly question: { readonly _id: string; readonly title: string } | null;
  };
}

interface NoticeColumns {
  day: string;
  kind: ScoreNoticeView['kind'];
  side: ScoreNoticeView['side'];
  category: InvalidationCategory;
  count: number;
  post_id: string;
  post_type: PostType;
  question_id: string | null;
  title: string | null;
}

/**
 * One notice per post, day, kind, side and category. Notices carry no points: invalidated votes lose their points on the days on which
 * they were cast.
 */
export async function listScoreNotices(
  db: Queryable,
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
): Promise<ScoreNoticeView[]> {
  const { rows } = await db.query<NoticeColumns>({
    text: `
      with affected as (
        select 'GIVEN' as side, v.* from read.case_votes v where v.voter_id = $2 and v.space_id = $1
        union all
        select 'RECEIVED', v.* from read.case_votes v where v.author_id = $2 and v.space_id = $1
      ), notices as (
        select v.*, c.category, 'INVALIDATED' as kind, c.invalidated_at as at
        from affected v join read.cases c using (case_id) where c.invalidated_at is not null
        union all
        select v.*, c.category, 'VALID_AGAIN', c.reversed_at from affected v join read.cases c using (case_id)
        where c.reversed_at is not null
      )
      select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, t.kind, t.side, t.category, count(*)::int as count,
        t.post_id, t.post_type, case when not q.is_removed then q.question_id end as question_id,
        case when not q.is_removed then q.title end as title
      from notices t left join read.questions q on q.question_id = t.question_id
      group by 1, 2, 3, 4, 6, 7, 8, 9
      order by day desc, kind, side, category, post_id limit ${MAX_NOTICES}`,
    values: [spaceId, studentId],
  });
  return rows.map((row) => ({
    _id: [row.day, row.kind, row.side, row.category, row.post_id].join(':'),
    day: row.day,
    kind: row.kind,
    side: row.side,
    category: row.category,
    count: row.count,
    post: {
      _id: row.post_id,
      postType: row.post_type,
      question: row.question_id === null ? null : { _id: row.question_id, title: row.title ?? '' },
    },
  }));
}
