import { requireMember, type ActingStudent, type MembershipStatus } from '../authority.js';
import { DomainError } from '../errors.js';
import type { AnswerDeleted, AnswerEdited, AnswerPosted, AnswerWordsErased } from '../events.js';
import {
  type Deletion,
  deletionReason,
  requireUnchangedPost,
  sameTexts,
  type PostBaseline,
} from '../posts/post-facts.js';
import { attachedPictures, postImages, requireAnswerBody } from '../validation/content.js';
import type { AnswerState } from './answer.state.js';

export type PostAnswer = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly answerId: string;
  readonly question:
    | {
        readonly questionId: string;
        readonly spaceId: string;
        readonly authorId: string;
        readonly removed: boolean;
      }
    | undefined;
  /** Sanitised HTML. */
  readonly body: string;
  readonly imageUrls: readonly string[];
};

export const postAnswer = (command: PostAnswer, state: AnswerState): readonly AnswerPosted[] => {
  const { actor, answerId, question } = command;
  if (!question || question.removed) throw new DomainError('QUESTION_NOT_FOUND');
  requireMember(actor, command.isMember);
  const body = requireAnswerBody(command.body);
  const imageUrls = postImages(body, command.imageUrls);
  if (state) return [];
  const { questionId, spaceId, authorId: questionAuthorId } = question;
  return [
    {
      type: 'AnswerPosted',
      data: { answerId, questionId, spaceId, questionAuthorId, authorId: actor.studentId, body, imageUrls },
    },
  ];
};

export type EditAnswer = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  /** Whether a moderator removed the answer, or the question is gone. */
  readonly removed: boolean;
  readonly body: string;
  /** Pictures that are not in the body. If omitted, they stay. */
  readonly imageUrls?: readonly string[];
  readonly seen?: PostBaseline | undefined;
};

export const editAnswer = (command: EditAnswer, state: AnswerState): readonly AnswerEdited[] => {
  if (!state || state.deleted || command.removed) throw new DomainError('ANSWER_NOT_FOUND');
  requireMember(command.actor, command.isMember);
  if (command.actor.studentId !== state.authorId) throw new DomainError('FORBIDDEN');
  const body = requireAnswerBody(command.body);
  const imageUrls = postImages(body, command.imageUrls ?? attachedPictures(state.body, state.imageUrls));
  requireUnchangedPost(command.seen, state, { body, imageUrls });
  if (body === state.body && sameTexts(imageUrls, state.imageUrls)) return [];
  const { answerId, questionId, spaceId, authorId } = state;
  return [{ type: 'AnswerEdited', data: { answerId, questionId, spaceId, authorId, body, imageUrls } }];
};

/** See `eraseQuestionWords`. */
export const eraseAnswerWords = (state: AnswerState): readonly AnswerWordsErased[] => {
  if (!state || state.body === '') return [];
  const { answerId, questionId, spaceId, authorId } = state;
  return [{ type: 'AnswerWordsErased', data: { answerId, questionId, spaceId, authorId } }];
};

export type DeleteAnswer = Deletion;

/** Deleting the accepted answer makes the question unsolved. The points stay. */
export const deleteAnswer = (command: DeleteAnswer, state: AnswerState): readonly AnswerDeleted[] => {
  if (!state) throw new DomainError('ANSWER_NOT_FOUND');
  const reason = deletionReason(command, state);
  const { answerId, questionId, spaceId, authorId } = state;
  return state.deleted
    ? []
    : [{ type: 'AnswerDeleted', data: { answerId, questionId, spaceId, authorId, reason } }];
};
