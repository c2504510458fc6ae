import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import * as domain from '@nimo/domain';
import type { AnyDecider, DomainEvent } from '@nimo/domain';
import type { JsonObject, RecordedEvent, StreamFold } from '@nimo/event-store';
import { decidersByStream, DomainStreams, foldOf, snapshotFold } from './domain-streams.js';

/** Holds only the fields the folds read. */
const eventOf = (type: DomainEvent['type'], data: object) => ({ type, data }) as unknown as DomainEvent;

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
 * The state each fold produces from a short history. When you change an expectation here, raise the number in the fold's shape too:
 * otherwise old snapshots would be read as the new shape.
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
      eventOf('QuestionAsked', { ...post, subjectId: 'u', topicId: 't', title: 'One', tags: ['x'] }),
      eventOf('QuestionEdited', { ...post, title: 'Two', body: '<p>c</p>' }),
      eventOf('AnswerAccepted', { ...post, answerId: 'w', questionAuthorId: 'a', answerAuthorId: 'z' }),
      eventOf('QuestionDeleted', { ...post }),
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
      eventOf('AnswerPosted', { ...post, answerId: 'w' }),
      eventOf('AnswerEdited', { ...post, answerId: 'w', body: '<p>c</p>', imageUrls: [] }),
      eventOf('AnswerDeleted', { ...post, answerId: 'w' }),
    ],
    state: { ...post, answerId: 'w', body: '<p>c</p>', imageUrls: [], deleted: true },
  },
  vote: {
    shape: 'vote 1',
    events: [
      eventOf('VoteCast', vote),
      eventOf('VoteWithdrawn', vote),
      eventOf('VoteCast', { ...vote, direction: 'DOWN' }),
    ],
    state: { standing: 'DOWN' },
  },
  bookmark: {
    shape: 'bookmark 1',
    events: [eventOf('QuestionSaved', saved)],
    state: { saved: true },
  },
  membership: {
    shape: 'membership 7',
    events: [
      eventOf('EntryRequested', { spaceId: 's', studentId: 'v', text: 'please' }),
      eventOf('SpaceJoined', { spaceId: 's', studentId: 'v' }),
      eventOf('MemberSuspended', { spaceId: 's', studentId: 'v', reason: 'spam', rank: 'MODERATOR' }),
      eventOf('MemberWarned', {
        spaceId: 's',
        studentId: 'v',
        warningId: 'w',
        text: 'spam',
        rank: 'MODERATOR',
      }),
      eventOf('SpaceLeft', { spaceId: 's', studentId: 'v' }),
      eventOf('InvitationUsed', { spaceId: 's', studentId: 'v', invitationId: 'i' }),
      eventOf('AgeStated', { spaceId: 's', studentId: 'v', age: 16, band: 'BELOW' }),
      eventOf('GuardianAsked', { spaceId: 's', studentId: 'v', consentId: 'c', age: 16 }),
    ],
    state: {
      isMember: false,
      suspendedBy: 'MODERATOR',
      suspendedUntil: null,
      warnings: 1,
      hasRequested: false,
      isInvited: false,
      wasRemoved: false,
      invitationId: 'i',
      stated: { age: 16, band: 'BELOW' },
      consent: { id: 'c', age: 16, standing: 'ASKED' },
    },
  },
  reaction: {
    shape: 'reaction 1',
    events: [
      eventOf('NewspostLiked', liked),
      eventOf('NewspostSaved', liked),
      eventOf('NewspostUnliked', liked),
    ],
    state: { liked: false, saved: true },
  },
};

const isDecider = (value: unknown): value is AnyDecider =>
  typeof value === 'object' && value !== null && 'evolve' in value;

/** Folds of all deciders that keep snapshots, by name. */
const FOLDS: ReadonlyMap<string, StreamFold> = new Map(
  Object.entries(domain).flatMap(([name, value]) => {
    const fold = isDecider(value) ? snapshotFold(value) : undefined;
    return fold ? [[name.replace(/Decider$/, ''), fold] as const] : [];
  }),
);

const recorded = (events: readonly DomainEvent[]): RecordedEvent[] =>
  events.map((event, revision) => ({
    ...event,
    id: randomUUID(),
    streamId: 'any',
    revision,
    position: '1',
    metadata: {},
  }));

describe.each(Object.entries(EXPECTED))('a %s snapshot', (kind, { shape, events, state }) => {
  const fold = FOLDS.get(kind);

  it('has the expected shape and survives a JSON round trip', () => {
    expect(fold?.shape).toBe(shape);
    expect(fold?.fold(undefined, recorded(events))).toEqual(state);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it('resumes from any revision', () => {
    for (let at = 1; at < events.length; at += 1) {
      const kept = JSON.stringify(fold?.fold(undefined, recorded(events.slice(0, at))));
      expect(fold?.fold(JSON.parse(kept) as JsonObject, recorded(events.slice(at)))).toEqual(state);
    }
  });
});

it('reads all other streams in full', () => {
  expect([...FOLDS.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
});

describe('a snapshot of one decider', () => {
  const vote = domain.aggregate(domain.voteDecider, 'q', 'v');
  const judged = domain.aggregate(domain.reviewedVoteDecider, 'q', 'v');

  it('is never used by another', () => {
    expect(foldOf(decidersByStream([vote]))(vote.streamId)?.shape).toBe('vote 1');
    expect(foldOf(decidersByStream([judged]))(vote.streamId)).toBeUndefined();
    const streams = new DomainStreams(
      decidersByStream([vote]),
      new Map([[vote.streamId, []]]),
      '2026-11-29T08:00:00.000Z',
    );
    expect(streams.state(vote)).toEqual({ standing: null });
    expect(() => streams.state(judged)).toThrow('for this decider');
  });
});
