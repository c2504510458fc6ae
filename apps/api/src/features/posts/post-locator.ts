import { Inject, Injectable } from '@nestjs/common';
import {
  answerDecider,
  commentDecider,
  questionDecider,
  type DomainEvent,
  type PostRef,
  type ReportedPostType,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { LRUCache } from 'lru-cache';
import { EVENT_STORE } from '../../platform/config/tokens.js';

const MAX_CACHED_POSTS = 50_000;

/** A post with its parent. */
export type LocatedPost = PostRef & {
  /** For a comment, the post commented on; otherwise the post itself. */
  readonly parentId: string;
};

const DECIDER_OF = {
  QUESTION: questionDecider,
  ANSWER: answerDecider,
  COMMENT: commentDecider,
  QUESTION_COMMENT: commentDecider,
};

/** Finds posts by ID. A post never moves, so its location is read once, from the first event of its stream, and cached. */
@Injectable()
export class PostLocator {
  private readonly cache = new LRUCache<string, LocatedPost>({ max: MAX_CACHED_POSTS });

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @returns undefined if no post of that type and ID was ever created */
  async find(postType: ReportedPostType, postId: string): Promise<LocatedPost | undefined> {
    const found = this.cache.get(postId) ?? (await this.read(postType, postId));
    return found?.postType === postType ? found : undefined;
  }

  private async read(postType: ReportedPostType, postId: string): Promise<LocatedPost | undefined> {
    const [first] = await this.store.readStream(DECIDER_OF[postType].stream(postId), { limit: 1 });
    if (!first) return undefined;
    // The codec has already upcast the event.
    const locatedPost = locationOf({ type: first.type, data: first.data } as unknown as DomainEvent);
    if (!locatedPost) return undefined;
    this.cache.set(postId, locatedPost);
    return locatedPost;
  }
}

function locationOf(event: DomainEvent): LocatedPost | undefined {
  switch (event.type) {
    case 'QuestionAsked': {
      const { questionId, spaceId, authorId } = event.data;
      return located('QUESTION', questionId, { questionId, spaceId, authorId });
    }
    case 'AnswerPosted':
      return located('ANSWER', event.data.answerId, event.data);
    case 'CommentPosted': {
      const { commentId, parentType, parentId } = event.data;
      const postType = parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT';
      return { ...located(postType, commentId, event.data), parentId };
    }
    default:
      return undefined;
  }
}

const located = (
  postType: ReportedPostType,
  postId: string,
  { questionId, spaceId, authorId }: { questionId: string; spaceId: string; authorId: string },
): LocatedPost => ({ postType, postId, questionId, spaceId, postAuthorId: authorId, parentId: postId });
