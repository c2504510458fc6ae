import {
  requireMember,
  requireModeratorOf,
  type ActingStudent,
  type MembershipStatus,
} from '../authority.js';
import { DomainError } from '../errors.js';
import type {
  AnswerAccepted,
  QuestionAsked,
  QuestionDeleted,
  QuestionEdited,
  QuestionWordsErased,
} from '../events.js';
import {
  type Deletion,
  deletionReason,
  requireUnchangedPost,
  sameTexts,
  type PostBaseline,
} from '../posts/post-facts.js';
import { attachedPictures, postImages, requireDescription, requireTitle } from '../validation/content.js';
import { visibleName } from '../validation/visible-text.js';
import type { Question, QuestionState } from './question.state.js';

export type AskQuestion = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly questionId: string;
  readonly spaceId: string;
  /** Null if none was chosen. */
  readonly subject: { readonly subjectId: string; readonly spaceId: string } | null;
  readonly topic: { readonly topicId: string; readonly subjectId: string; readonly topicName: string } | null;
  readonly title: string;
  /** Sanitised HTML. */
  readonly body: string;
  readonly imageUrls: readonly string[];
  /** Set by imports; by default the name of the topic. */
  readonly tags?: readonly string[];
};

export const askQuestion = (command: AskQuestion, state: QuestionState): readonly QuestionAsked[] => {
  const { actor, questionId, spaceId, subject, topic } = command;
  requireMember(actor, command.isMember);
  const title = requireTitle(command.title);
  if (subject?.spaceId !== spaceId) throw new DomainError('SUBJECT_REQUIRED');
  if (topic?.subjectId !== subject.subjectId) throw new DomainError('TOPIC_REQUIRED');
  const body = requireDescription(command.body);
  const imageUrls = postImages(body, command.imageUrls);
  if (state) return [];
  const { subjectId } = subject;
  const { topicId, topicName } = topic;
  const tags = (command.tags ?? [topicName]).map(visibleName);
  return [
    {
      type: 'QuestionAsked',
      data: {
        questionId,
        spaceId,
        subjectId,
        topicId,
        authorId: actor.studentId,
        title,
        body,
        imageUrls,
        tags,
      },
    },
  ];
};

export type EditQuestion = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  readonly removedByModerator: boolean;
  readonly title: string;
  readonly body: string;
  /** Pictures that are not in the body. If omitted, they stay. */
  readonly imageUrls?: readonly string[] | undefined;
  readonly seen?: PostBaseline | undefined;
};

/** Subject and topic are read-only. */
export const editQuestion = (command: EditQuestion, state: QuestionState): readonly QuestionEdited[] => {
  const question = requireQuestion(state, command.removedByModerator);
  requireMember(command.actor, command.isMember);
  if (command.actor.studentId !== question.authorId) throw new DomainError('FORBIDDEN');
  const title = requireTitle(command.title);
  const body = requireDescription(command.body);
  const imageUrls = postImages(
    body,
    command.imageUrls ?? attachedPictures(question.body, question.imageUrls),
  );
  requireUnchangedPost(command.seen, question, { title, body, imageUrls });
  if (title === question.title && body === question.body && sameTexts(imageUrls, question.imageUrls))
    return [];
  const { questionId, spaceId, authorId } = question;
  return [{ type: 'QuestionEdited', data: { questionId, spaceId, authorId, title, body, imageUrls } }];
};

export type DeleteQuestion = Deletion;

export const deleteQuestion = (command: DeleteQuestion, state: QuestionState): readonly QuestionDeleted[] => {
  if (!state) throw new DomainError('QUESTION_NOT_FOUND');
  const reason = deletionReason(command, state);
  const { questionId, spaceId, authorId } = state;
  return state.deleted ? [] : [{ type: 'QuestionDeleted', data: { questionId, spaceId, authorId, reason } }];
};

/** Also clears removed questions, because rows keep their content. An empty title marks a cleared question. */
export const eraseQuestionWords = (state: QuestionState): readonly QuestionWordsErased[] => {
  if (!state || state.title === '') return [];
  const { questionId, spaceId, authorId } = state;
  return [{ type: 'QuestionWordsErased', data: { questionId, spaceId, authorId } }];
};

export type AcceptAnswer = {
  readonly actor: ActingStudent;
  readonly isMember: MembershipStatus;
  /** Whether the author of the question has left the space, was erased or cannot sign in. */
  readonly isAuthorAway: boolean;
  readonly removedByModerator: boolean;
  readonly answer:
    | {
        readonly answerId: string;
        readonly questionId: string;
        readonly authorId: string;
        readonly removed: boolean;
      }
    | undefined;
  /** The accepted answer, if any. Once it is deleted or removed, the question is unsolved again. */
  readonly previous:
    | { readonly answerId: string; readonly authorId: string; readonly removed: boolean }
    | undefined;
};

export const acceptAnswer = (command: AcceptAnswer, state: QuestionState): readonly AnswerAccepted[] => {
  const { actor, answer, previous } = command;
  const question = requireQuestion(state, command.removedByModerator);
  const isAuthor = actor.studentId === question.authorId;
  if (isAuthor) requireMember(actor, command.isMember);
  else requireDeputy(command, question);
  if (!answer || answer.removed || answer.questionId !== question.questionId)
    throw new DomainError('ANSWER_NOT_FOUND');
  if (answer.authorId === question.authorId || answer.authorId === actor.studentId)
    throw new DomainError('OWN_ANSWER_ACCEPTED');
  if (question.acceptedAnswerId === answer.answerId) return [];
  if (
    question.acceptedAnswerId !== null &&
    (previous?.answerId !== question.acceptedAnswerId || !previous.removed)
  )
    throw new DomainError('ANSWER_ALREADY_ACCEPTED');
  const { questionId, spaceId, authorId: questionAuthorId } = question;
  const { answerId, authorId: answerAuthorId } = answer;
  return [
    {
      type: 'AnswerAccepted',
      data: {
        questionId,
        answerId,
        spaceId,
        questionAuthorId,
        answerAuthorId,
        ...(!isAuthor && { acceptedBy: actor.studentId }),
        ...(previous && { supersedes: { answerId: previous.answerId, answerAuthorId: previous.authorId } }),
      },
    },
  ];
};

/** A moderator may accept for an author who cannot do so any more. */
const requireDeputy = (
  { actor, isAuthorAway }: Pick<AcceptAnswer, 'actor' | 'isAuthorAway'>,
  { spaceId }: Question,
): void => {
  requireModeratorOf(actor, spaceId);
  if (!isAuthorAway) throw new DomainError('QUESTION_AUTHOR_PRESENT');
};

const requireQuestion = (state: QuestionState, removedByModerator: boolean): Question => {
  if (!state || state.deleted || removedByModerator) throw new DomainError('QUESTION_NOT_FOUND');
  return state;
};
