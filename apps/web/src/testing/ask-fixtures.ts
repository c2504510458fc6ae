import { v4 as uuid } from 'uuid';
import type { Answers } from './fake-api';
import { newAuthor, newAuthUser, newSpace } from './fixtures';

export const isha = newAuthUser({ userName: 'isha_p' });
export const ishaAsAuthor = newAuthor({ ...isha });
export const space = newSpace();
export const physics = { _id: uuid(), subjectName: 'Physics', color: '1c7ed6' };
export const optics = {
  _id: uuid(),
  topicName: 'Optics',
  topicType: 'PRIMARY',
  subject: physics,
  imageS3Url: null,
};

const noVotes = { upvoteCount: 0, downvoteCount: 0, upvotedBy: [], downvotedBy: [] };

export function newQuestionDetail(changes: object = {}) {
  return {
    _id: uuid(),
    title: 'Why is the sky blue?',
    body: '<p>It is not the sea.</p>',
    excerpt: 'It is not the sea.',
    tags: [],
    imageUrls: [],
    createdAt: '2026-11-20T08:00:00.000Z',
    editedAt: null,
    ...noVotes,
    answerCount: 0,
    commentsCount: 0,
    acceptedAnswer: null,
    subject: physics,
    topic: optics,
    schoolClass: null,
    space,
    scope: 'world',
    author: newAuthor(),
    obType: 'QUESTION',
    isSaved: false,
    isAuthorizedToView: true,
    isAuthorizedToInteract: true,
    mayAccept: false,
    ...changes,
  };
}

export function newAnswer(changes: object = {}) {
  return {
    _id: uuid(),
    title: '',
    body: '<p>Because of scattering.</p>',
    imageUrls: [],
    createdAt: '2026-11-20T09:00:00.000Z',
    editedAt: null,
    ...noVotes,
    commentsCount: 0,
    author: newAuthor(),
    question: { _id: uuid() },
    comments: [],
    ...changes,
  };
}

export function newComment(changes: object = {}) {
  return {
    _id: uuid(),
    body: 'Good point.',
    mentions: [],
    createdAt: '2026-11-20T10:00:00.000Z',
    ...noVotes,
    author: newAuthor(),
    question: null,
    answer: null,
    ...changes,
  };
}

export function pageOf(docs: readonly object[], page = 1, totalPages = 1) {
  return { docs, page, totalPages };
}

interface OpenSpace {
  questions?: readonly { _id: string }[];
  answers?: readonly object[];
  comments?: readonly object[];
}

/** API answers for a space with one subject. */
export function spaceAnswers({ questions = [], answers = [], comments = [] }: OpenSpace): Answers {
  const find = ({ questionId }: Record<string, unknown>) =>
    questions.find(({ _id }) => _id === questionId) ?? null;
  return {
    getSubjectsForSpace: () => [physics],
    getSubjectTopics: () => [optics],
    getPopularTopics: () => [optics],
    searchTopics: ({ search }) => ({
      hits: optics.topicName.toLowerCase().includes(String(search).toLowerCase()) ? [optics] : [],
    }),
    getSimilarQuestions: () => ({ hits: [], degraded: false }),
    getPaginatedQuestions: () => pageOf(questions),
    getUnsolvedQuestions: () => pageOf([]),
    getQuestionByIdWithUserAuthorization: find,
    getQuestionById: find,
    getPaginatedAnswers: () => pageOf(answers),
    getPaginatedQuestionComments: () => pageOf(comments),
  };
}
