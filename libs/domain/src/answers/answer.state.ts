import { unreachable } from '../errors.js';
import type { AnswerDeleted, AnswerEdited, AnswerPosted } from '../events.js';

export type AnswerEvent = AnswerPosted | AnswerEdited | AnswerDeleted;

export type Answer = AnswerPosted['data'] & { readonly deleted: boolean };
export type AnswerState = Answer | undefined;

export const initialAnswer: AnswerState = undefined;

export const evolveAnswer = (state: AnswerState, event: AnswerEvent): AnswerState => {
  switch (event.type) {
    case 'AnswerPosted':
      return { ...event.data, deleted: false };
    case 'AnswerEdited':
      return state && { ...state, body: event.data.body, imageUrls: event.data.imageUrls };
    case 'AnswerDeleted':
      return state && { ...state, deleted: true };
    default:
      return unreachable(event);
  }
};
