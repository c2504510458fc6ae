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

const MAX_KNOWN = 50_000;

/** A post's place, with what it stands under. */
export type LocatedPost = PostRef & {
  /** The commented post of a comment, otherwise the post itself. */
  readonly parentId: string;
};

const DECIDER_OF = {
  QUESTION: questionDecider,
  ANSWER: answerDecider,
  COMMENT: commentDecider,
  QUESTION_COMMENT: commentDecider,
};

/** Where a post stands never changes, so it is read once from the first event of its stream and remembered. */
@Injectable()
export class PostLocator {
  private readonly known = new LRUCache<string, LocatedPost>({ max: MAX_KNOWN });

  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

  /** @returns undefined where no such post of that type was ever written */
  async find(postType: ReportedPostType, postId: string): Promise<LocatedPost | undefined> {
    const known = this.known.get(postId) ?? (await this.read(postType, postId));
    return known?.postType === postType ? known : undefined;
  }

  private async read(postType: ReportedPostType, postId: string): Promise<LocatedPost | undefined> {
    const [first] = await this.store.readStream(DECIDER_OF[postType].stream(postId), { limit: 1 });
    if (!first) return undefined;
    // The codec lifted the event to today's shape.
    const located = locationOf({ type: first.type, data: first.data } as unknown as DomainEvent);
    if (!located) return undefined;
    this.known.set(postId, located);
    return located;
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
