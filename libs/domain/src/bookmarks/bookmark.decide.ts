import { requireActive, requireMember, type ActingStudent, type InSpace } from '../authority.js';
import { DomainError } from '../errors.js';
import type { QuestionSaved, QuestionUnsaved } from '../events.js';
import type { BookmarkState } from './bookmark.state.js';

type QuestionFacts = { readonly questionId: string; readonly spaceId: string; readonly removed: boolean };

export type SaveQuestion = {
  readonly actor: ActingStudent;
  readonly isMember: InSpace;
  readonly question: QuestionFacts | undefined;
};

export const saveQuestion = (
  { actor, isMember, question }: SaveQuestion,
  state: BookmarkState,
): readonly QuestionSaved[] => {
  if (!question || question.removed) throw new DomainError('QUESTION_NOT_FOUND');
  // A list for oneself: it takes part in nothing.
  requireMember(actor, isMember !== false);
  const { questionId, spaceId } = question;
  return state.saved
    ? []
    : [{ type: 'QuestionSaved', data: { questionId, spaceId, studentId: actor.studentId } }];
};

export type UnsaveQuestion = { readonly actor: ActingStudent; readonly question: QuestionFacts | undefined };

/** Also of a deleted question, and by somebody who left the space: one's own list can always be tidied. */
export const unsaveQuestion = (
  { actor, question }: UnsaveQuestion,
  state: BookmarkState,
): readonly QuestionUnsaved[] => {
  if (!question) throw new DomainError('QUESTION_NOT_FOUND');
  requireActive(actor);
  const { questionId, spaceId } = question;
  return state.saved
    ? [{ type: 'QuestionUnsaved', data: { questionId, spaceId, studentId: actor.studentId } }]
    : [];
};
