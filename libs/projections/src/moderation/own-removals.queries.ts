import { MAX_OWN_REMOVALS_SHOWN, type ReportedPostType } from '@nimo/domain';
import { mentionNamesSql, withPlainNames } from '../mention-names.js';
import { isoTime, moderatedOf, type Queryable, readable, type Reader } from '../queryable.js';
import { staffWordsOf } from './staff-words.table.js';

/** The viewer's own post removed by moderators, with their reason. Names neither moderator nor reporters. */
export interface OwnRemovalView {
  readonly postId: string;
  readonly postType: ReportedPostType;
  /** Title of the question. */
  readonly title: string;
  /** Sanitised HTML, or the text of a comment with mentions as `@name`. */
  readonly body: string;
  readonly reason: string;
  readonly at: string;
}

interface RemovalColumns {
  post_id: string;
  post_type: ReportedPostType;
  title: string;
  body: string;
  reason: string;
  at: string;
  names: Record<string, string | null> | null;
}

export interface OwnRemovalOptions extends Pick<Reader, 'moderated'> {
  readonly questionId: string;
  readonly authorId: string;
}

/** An author's posts on a question page that moderators removed and did not restore, the question first. */
export async function listOwnRemovals(
  db: Queryable,
  { questionId, authorId, moderated }: OwnRemovalOptions,
): Promise<OwnRemovalView[]> {
  const { rows } = await db.query<RemovalColumns>({
    name: 'own-removals',
    text: `
      with last as (
        select distinct on (post_id) post_id, post_type, decision, ordinal, decided_at from read.moderation_decisions
        where author_id = $2 and decision in ('UPHELD', 'DELETED', 'REVERSED') order by post_id, ordinal desc
      )
      select last.post_id, last.post_type, q.title, coalesce(a.body, m.body, q.body) as body,
        coalesce(${staffWordsOf('$2', 'last.ordinal')}, '') as reason,
        ${isoTime('last.decided_at')} as at,
        ${mentionNamesSql('m.mentioned_student_ids')} as names
      from last
      join read.questions q on q.question_id = $1 and ${readable('q.space_id', '$2', '$3')}
      left join read.answers a on a.answer_id = last.post_id
      left join read.comments m on m.comment_id = last.post_id
      where last.decision <> 'REVERSED' and $1 in (last.post_id, a.question_id, m.question_id)
      order by last.post_id <> $1, last.decided_at, last.post_id limit ${MAX_OWN_REMOVALS_SHOWN}`,
    values: [questionId, authorId, moderatedOf({ viewerId: authorId, moderated })],
  });
  return rows.map(({ post_id, post_type, title, body, reason, at, names }) => ({
    ...{ postId: post_id, postType: post_type, title, reason, at },
    body: withPlainNames(body, names ?? {}),
  }));
}
