import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '@nimo/domain';
import type { JsonObject, RecordedEvent } from '@nimo/event-store';
import { foldOf } from './stream-folds.js';

/** With what the folds look at, and no more. */
const told = (type: DomainEvent['type'], data: object) => ({ type, data }) as unknown as DomainEvent;

const post = { spaceId: 's', questionId: 'q', authorId: 'a', body: '<p>b</p>', imageUrls: ['/i'] };
const vote = {
  postType: 'QUESTION',
  postId: 'q',
  questionId: 'q',
  spaceId: 's',
  postAuthorId: 'a',
  voterId: 'v',
  direction: 'UP',
  voterIsStandIn: false,
} as const;
const saved = { questionId: 'q', spaceId: 's', studentId: 'v' };
const liked = { newspostId: 'n', spaceId: null, studentId: 'v' };

/**
 * What each fold makes of a short history, under its name. Where this test has to be changed, the number in the fold's name has to
 * be raised with it: otherwise snapshots of before would be taken for what the new code says.
 */
const EXPECTED: Readonly<
  Record<
    string,
    { readonly shape: string; readonly state: JsonObject; readonly events: readonly DomainEvent[] }
  >
> = {
  question: {
    shape: 'question 1',
    events: [
      told('QuestionAsked', { ...post, subjectId: 'u', topicId: 't', title: 'One', tags: ['x'] }),
      told('QuestionEdited', { ...post, title: 'Two', body: '<p>c</p>' }),
      told('AnswerAccepted', { ...post, answerId: 'w', questionAuthorId: 'a', answerAuthorId: 'z' }),
      told('QuestionDeleted', { ...post }),
    ],
    state: {
      ...post,
      subjectId: 'u',
      topicId: 't',
      title: 'Two',
      body: '<p>c</p>',
      acceptedAnswerId: 'w',
      deleted: true,
    },
  },
  answer: {
    shape: 'answer 1',
    events: [
      told('AnswerPosted', { ...post, answerId: 'w' }),
      told('AnswerEdited', { ...post, answerId: 'w', body: '<p>c</p>', imageUrls: [] }),
      told('AnswerDeleted', { ...post, answerId: 'w' }),
    ],
    state: { ...post, answerId: 'w', body: '<p>c</p>', imageUrls: [], deleted: true },
  },
  vote: {
    shape: 'vote 1',
    events: [
      told('VoteCast', vote),
      told('VoteWithdrawn', vote),
      told('VoteCast', { ...vote, direction: 'DOWN' }),
    ],
    state: { standing: 'DOWN' },
  },
  bookmark: {
    shape: 'bookmark 1',
    events: [told('QuestionSaved', saved)],
    state: { saved: true },
  },
  membership: {
    shape: 'membership 2',
    events: [
      told('SpaceJoined', { spaceId: 's', studentId: 'v' }),
      told('MemberSuspended', { spaceId: 's', studentId: 'v', reason: 'spam', rank: 'MODERATOR' }),
      told('SpaceLeft', { spaceId: 's', studentId: 'v' }),
    ],
    state: { isMember: false, suspendedBy: 'MODERATOR' },
  },
  reaction: {
    shape: 'reaction 1',
    events: [told('NewspostLiked', liked), told('NewspostSaved', liked), told('NewspostUnliked', liked)],
    state: { liked: false, saved: true },
  },
};

const recorded = (events: readonly DomainEvent[]): RecordedEvent[] =>
  events.map((event, revision) => ({
    ...event,
    id: randomUUID(),
    streamId: 'any',
    revision,
    position: '1',
    metadata: {},
  }));

describe.each(Object.entries(EXPECTED))('the snapshot of a stream %s', (kind, { shape, events, state }) => {
  const fold = foldOf(`${kind}-${randomUUID()}`);

  it('is of this shape, and comes back from JSON as it was', () => {
    expect(fold?.shape).toBe(shape);
    expect(fold?.fold(undefined, recorded(events))).toEqual(state);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('goes on from wherever it was taken', () => {
    for (let at = 1; at < events.length; at += 1) {
      const kept = JSON.stringify(fold?.fold(undefined, recorded(events.slice(0, at))));
      expect(fold?.fold(JSON.parse(kept) as JsonObject, recorded(events.slice(at)))).toEqual(state);
    }
  });
});

describe('streams of another kind', () => {
  it('are read as a whole', () => {
    for (const streamId of [`student-${randomUUID()}`, `comment-${randomUUID()}`, 'scoring-rules', '-'])
      expect(foldOf(streamId)).toBeUndefined();
  });
});
