import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { translateEvent } from './event-translator.js';

const spaceId = randomUUID();
const translated = (type: string, stream: string, data: object) =>
  translateEvent(
    JSON.stringify({ type, version: 1, stream, at: '2026-01-01T00:00:00.000Z', by: null, data }),
    'events.ndjson:1',
    { spaceId, spaceName: 'Here', idOf: (id) => id, pictures: new Set(), keyOf: (key) => key },
  ).data;

it('drops control characters from imported texts', () => {
  const [questionId, subjectId, topicId, authorId, commentId] = Array.from({ length: 5 }, () => randomUUID());
  const asked = {
    ...{ questionId, spaceId, subjectId, topicId, authorId, imageUrls: [] },
    ...{ title: '\u202egnp.exe', body: '<p>a\u0007b</p>', tags: ['Acc\u2066ents'] },
  };
  expect(translated('QuestionAsked', `question-${questionId}`, asked)).toEqual({
    ...asked,
    ...{ title: 'gnp.exe', body: '<p>ab</p>', tags: ['Accents'] },
  });
  const posted = {
    ...{ commentId, parentType: 'QUESTION', parentId: questionId, questionId, spaceId, authorId },
    ...{ parentAuthorId: authorId, body: '\u202ea\r\nb', mentionedStudentIds: [] },
  };
  expect(translated('CommentPosted', `comment-${commentId}`, posted)).toEqual({ ...posted, body: 'a\nb' });
});
