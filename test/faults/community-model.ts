export type Direction = 'UP' | 'DOWN';

interface Post {
  readonly kind: 'QUESTION' | 'ANSWER';
  readonly postId: string;
  readonly questionId: string;
  readonly authorId: string;
  /** Title of a question or body of an answer; unique in the run. */
  text: string;
  acceptedAnswerId: string | null;
}

interface Comment {
  readonly text: string;
  readonly authorId: string;
  readonly parentId: string;
  readonly commentId: string;
  isDeleted: boolean;
}

export interface Vote {
  readonly postId: string;
  readonly voterId: string;
  direction: Direction | null;
  /** Number of events so far. */
  events: number;
  hasEverUpvoted: boolean;
}

/**
 * Expected state of the product, derived only from confirmed requests and without code of the product. Each vote, bookmark, edit and
 * acceptance belongs to one student, who sends requests sequentially, so that the outcome does not depend on the order among students.
 */
export class CommunityModel {
  readonly posts = new Map<string, Post>();
  readonly comments = new Map<string, Comment>();
  readonly votes = new Map<string, Vote>();
  /** All texts of posts, including edits. */
  readonly texts: string[] = [];
  readonly bookmarks = new Map<string, { isSaved: boolean; events: number }>();
  /** Posts whose ids were not in the response, because the read side was behind. */
  readonly postsWithoutId: {
    kind: 'QUESTION' | 'ANSWER' | 'COMMENT';
    text: string;
    authorId: string;
    under: string;
  }[] = [];

  ask(postId: string, authorId: string, text: string): void {
    this.texts.push(text);
    this.posts.set(postId, {
      kind: 'QUESTION',
      postId,
      questionId: postId,
      authorId,
      text,
      acceptedAnswerId: null,
    });
  }

  answer(postId: string, authorId: string, questionId: string, text: string): void {
    this.texts.push(text);
    this.posts.set(postId, { kind: 'ANSWER', postId, questionId, authorId, text, acceptedAnswerId: null });
  }

  comment(commentId: string, authorId: string, parentId: string, text: string): void {
    this.texts.push(text);
    this.comments.set(commentId, { commentId, text, authorId, parentId, isDeleted: false });
  }

  edit(postId: string, text: string): void {
    this.texts.push(text);
    this.post(postId).text = text;
  }

  toggleVote(postId: string, voterId: string, direction: Direction): void {
    const vote = this.voteOf(postId, voterId);
    vote.events += vote.direction === null || vote.direction === direction ? 1 : 2;
    vote.direction = vote.direction === direction ? null : direction;
    if (vote.direction === 'UP') vote.hasEverUpvoted = true;
  }

  bookmark(questionId: string, studentId: string, isSaved: boolean): void {
    const key = `${questionId} ${studentId}`;
    const known = this.bookmarks.get(key) ?? { isSaved: false, events: 0 };
    this.bookmarks.set(key, { isSaved, events: known.events + (known.isSaved === isSaved ? 0 : 1) });
  }

  isSaved(questionId: string, studentId: string): boolean {
    return this.bookmarks.get(`${questionId} ${studentId}`)?.isSaved ?? false;
  }

  postsOf(kind: Post['kind']): Post[] {
    return [...this.posts.values()].filter((post) => post.kind === kind);
  }

  post(postId: string): Post {
    const post = this.posts.get(postId);
    if (!post) throw new Error(`no post ${postId} in the model`);
    return post;
  }

  commentsOf(parentId: string): Comment[] {
    return [...this.comments.values()].filter(
      (comment) => comment.parentId === parentId && !comment.isDeleted,
    );
  }

  votesFor(postId: string, direction: Direction): number {
    return [...this.votes.values()].filter((vote) => vote.postId === postId && vote.direction === direction)
      .length;
  }

  private voteOf(postId: string, voterId: string): Vote {
    const key = `${postId} ${voterId}`;
    const vote = this.votes.get(key) ?? {
      postId,
      voterId,
      direction: null,
      events: 0,
      hasEverUpvoted: false,
    };
    this.votes.set(key, vote);
    return vote;
  }
}
