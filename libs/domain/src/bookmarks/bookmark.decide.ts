import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type { BookmarkEvent, QuestionSaved, QuestionUnsaved } from '../events.js';
import { bookmarkStream } from '../stream-ids.js';
import { type ActingStudent, type MembershipStatus, requireActive, requireMember } from '../authority.js';

export type BookmarkState = { readonly saved: boolean };

export const bookmarkDecider: Decider<BookmarkState, BookmarkEvent, [questionId: string, studentId: string]> =
  {
    stream: bookmarkStream,
    initial: { saved: false },
    evolve: (_, event) => {
      switch (event.type) {
        case 'QuestionSaved':
          return { saved: true };
        case 'QuestionUnsaved':
          return { saved: false };
        default:
          return unreachable(event);
      }
    },
    snapshot: 'bookmark 1',
  };

type QuestionFacts = { readonly questionId: string; readonly spaceId: string; readonly removed: boolean };

export type SaveQuestion = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly question: QuestionFacts | undefined;
};

export const saveQuestion = (
  { actor, isMember, question }: SaveQuestion,
  state: BookmarkState,
): readonly QuestionSaved[] => {
  if (!question || question.removed) throw new DomainError('QUESTION_NOT_FOUND');
  // A suspended member can save questions, because bookmarks are private.
  requireMember(actor, isMember !== false);
  const { questionId, spaceId } = question;
  return state.saved
    ? []
    : [{ type: 'QuestionSaved', data: { questionId, spaceId, studentId: actor.studentId } }];
};

export type UnsaveQuestion = { readonly actor: ActingStudent; readonly question: QuestionFacts | undefined };

/** Also works for deleted questions and former members. */
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
