import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { QuestionEvent } from '../events.js';
import { questionStream } from '../stream-ids.js';

export type Question = {
  readonly questionId: string;
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicId: string;
  readonly authorId: string;
  readonly title: string;
  readonly body: string;
  readonly imageUrls: readonly string[];
  /** The last accepted answer. Whether it still exists is recorded in its own stream. */
  readonly acceptedAnswerId: string | null;
  readonly deleted: boolean;
};
export type QuestionState = Question | undefined;

export const questionDecider: Decider<QuestionState, QuestionEvent, [questionId: string]> = {
  stream: questionStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'QuestionAsked': {
        const { tags: _tags, ...question } = event.data;
        return { ...question, acceptedAnswerId: null, deleted: false };
      }
      case 'QuestionEdited':
        return (
          state && {
            ...state,
            title: event.data.title,
            body: event.data.body,
            imageUrls: event.data.imageUrls,
          }
        );
      case 'QuestionDeleted':
        return state && { ...state, deleted: true };
      case 'QuestionWordsErased':
        return state && { ...state, title: '', body: '', imageUrls: [] };
      case 'AnswerAccepted':
        return state && { ...state, acceptedAnswerId: event.data.answerId };
      default:
        return unreachable(event);
    }
  },
  snapshot: 'question 1',
};
