import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { AnswerEvent, AnswerPosted } from '../events.js';
import { answerStream } from '../stream-ids.js';

export type Answer = AnswerPosted['data'] & { readonly deleted: boolean };
export type AnswerState = Answer | undefined;

export const answerDecider: Decider<AnswerState, AnswerEvent, [answerId: string]> = {
  stream: answerStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'AnswerPosted':
        return { ...event.data, deleted: false };
      case 'AnswerEdited':
        return state && { ...state, body: event.data.body, imageUrls: event.data.imageUrls };
      case 'AnswerDeleted':
        return state && { ...state, deleted: true };
      case 'AnswerWordsErased':
        return state && { ...state, body: '', imageUrls: [] };
      default:
        return unreachable(event);
    }
  },
  snapshot: 'answer 1',
};
