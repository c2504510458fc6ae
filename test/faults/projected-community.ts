import type { Pool } from 'pg';
import type { CommunityModel } from './community-model.js';

/** All posts with their page data, according to the projections. */
export async function projectedPosts(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(`
    select p.id, p.author, p.text, p.accepted, p.answers, p.comments,
           coalesce(v.upvotes, 0)::int as upvotes, coalesce(v.downvotes, 0)::int as downvotes
    from (select question_id as id, author_id as author, title as text, accepted_answer_id as accepted,
                 answer_count as answers, comments_count as comments from read.questions where not is_removed
          union all
          select answer_id, author_id, regexp_replace(body, '<[^>]*>', '', 'g'), null, null, comments_count
          from read.answers where not is_removed) p
    left join read.post_votes v on v.post_id = p.id
    order by p.id collate "C"`);
  return rows;
}

/** All posts with their page data, according to the model. */
export function expectedPosts(model: CommunityModel): unknown[] {
  return [...model.posts.values()]
    .sort((left, right) => (left.postId < right.postId ? -1 : 1))
    .map((post) => ({
      id: post.postId,
      author: post.authorId,
      text: post.text,
      accepted: post.acceptedAnswerId,
      answers:
        post.kind === 'QUESTION'
          ? model.postsOf('ANSWER').filter(({ questionId }) => questionId === post.postId).length
          : null,
      comments: model.commentsOf(post.postId).length,
      upvotes: model.votesFor(post.postId, 'UP'),
      downvotes: model.votesFor(post.postId, 'DOWN'),
    }));
}

/** Question and student of all bookmarks, according to the projections. */
export async function projectedBookmarks(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ key: string }>(
    `select question_id || ' ' || student_id as key from read.bookmarks`,
  );
  return new Set(rows.map(({ key }) => key));
}

export const expectedBookmarks = (model: CommunityModel): ReadonlySet<string> =>
  new Set([...model.bookmarks].filter(([, { isSaved }]) => isSaved).map(([key]) => key));
