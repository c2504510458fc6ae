import { randomUUID } from 'node:crypto';
import type { ActingStudent } from '../authority.js';
import type { PostRef, PostType, QuestionAsked, AnswerPosted, VoteData } from '../events.js';
import type { PostFacts } from '../posts/post-facts.js';

export const newId = (): string => randomUUID();

export const newActor = (changes: Partial<ActingStudent> = {}): ActingStudent => ({
  kind: 'student',
  studentId: newId(),
  registered: true,
  blocked: false,
  roles: [],
  ...changes,
});
export const newModerator = (spaceId: string | null = null): ActingStudent =>
  newActor({ roles: [{ role: 'MODERATOR', spaceId }] });
export const newMaintainer = (): ActingStudent =>
  newActor({ roles: [{ role: 'MAINTAINER', spaceId: null }] });

type VotablePost = PostFacts<PostRef & { readonly postType: PostType }>;

export const newPost = (changes: Partial<VotablePost> = {}): VotablePost => {
  const postId = newId();
  return {
    postType: 'QUESTION',
    postId,
    questionId: postId,
    spaceId: newId(),
    postAuthorId: newId(),
    removed: false,
    ...changes,
  };
};

export const newVote = (changes: Partial<VoteData> = {}): VoteData => {
  const { removed: _removed, ...post } = newPost();
  return { ...post, voterId: newId(), direction: 'UP', voterIsStandIn: false, ...changes };
};

export const questionAsked = (changes: Partial<QuestionAsked['data']> = {}): QuestionAsked => ({
  type: 'QuestionAsked',
  data: {
    questionId: newId(),
    spaceId: newId(),
    subjectId: newId(),
    topicId: newId(),
    authorId: newId(),
    title: 'Where does the accent go?',
    body: '<p>In this word.</p>',
    imageUrls: [],
    tags: ['Accents'],
    ...changes,
  },
});

export const answerPosted = (changes: Partial<AnswerPosted['data']> = {}): AnswerPosted => ({
  type: 'AnswerPosted',
  data: {
    answerId: newId(),
    questionId: newId(),
    spaceId: newId(),
    questionAuthorId: newId(),
    authorId: newId(),
    body: '<p>On the last letter.</p>',
    imageUrls: [],
    ...changes,
  },
});
