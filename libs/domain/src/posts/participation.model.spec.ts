import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import { fold } from '../decider.js';
import { answerStream, questionStream, voteStream } from '../stream-ids.js';
import { deleteAnswer, postAnswer } from '../answers/answer.decide.js';
import { answerDecider } from '../answers/answer.state.js';
import { DomainError } from '../errors.js';
import type {
  AnswerEvent,
  DomainEvent,
  PostType,
  QuestionEvent,
  VoteDirection,
  VoteEvent,
} from '../events.js';
import { acceptAnswer, askQuestion } from '../questions/question.decide.js';
import { questionDecider } from '../questions/question.state.js';
import { scoreFold } from '../scoring/score-fold.js';
import { newActor } from '../testing/builders.js';
import { factsOf } from '../testing/score-facts.js';
import { toggleVote, voteDecider } from '../votes/vote.decide.js';

const STUDENTS = Array.from({ length: 4 }, (_, index) => newActor({ studentId: `student-${index}` }));
const asker = STUDENTS[0] ?? newActor();
const SPACE = 'space';
const QUESTION = 'question';
const answerIdOf = (student: number) => `answer-${student}`;

type Step =
  | { readonly act: 'answer' | 'delete' | 'accept'; readonly student: number; readonly target: number }
  | {
      readonly act: 'vote';
      readonly student: number;
      readonly target: number | null;
      readonly direction: VoteDirection;
    };

/** In-memory log and streams. Each step decides on its streams like a command handler. */
class Community {
  readonly log: DomainEvent[] = [];
  readonly streams = new Map<string, DomainEvent[]>();

  /** A refused command must leave nothing behind. */
  run(stream: string, decide: () => readonly DomainEvent[]): void {
    try {
      const events = decide();
      this.streams.set(stream, [...this.events(stream), ...events]);
      this.log.push(...events);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  events<E extends DomainEvent>(stream: string): E[] {
    // Only one aggregate writes to each stream.
    return (this.streams.get(stream) ?? []) as E[];
  }

  question = () => fold(questionDecider, this.events<QuestionEvent>(questionStream(QUESTION)));
  answer = (id: string) => fold(answerDecider, this.events<AnswerEvent>(answerStream(id)));
  vote = (postId: string, studentId: string) =>
    fold(voteDecider, this.events<VoteEvent>(voteStream(postId, studentId)));
}

const newCommunity = (): Community => {
  const community = new Community();
  const subject = { subjectId: 'subject', spaceId: SPACE };
  const topic = { topicId: 'topic', subjectId: 'subject', topicName: 'Topic' };
  const ask = {
    actor: asker,
    isMember: true,
    questionId: QUESTION,
    spaceId: SPACE,
    subject,
    topic,
    title: 'Q',
    body: '',
    imageUrls: [],
  };
  community.run(questionStream(QUESTION), () => askQuestion(ask, community.question()));
  return community;
};

const postOf = (community: Community, target: number | null) => {
  if (target === null)
    return {
      postType: 'QUESTION' as PostType,
      postId: QUESTION,
      postAuthorId: asker.studentId,
      removed: false,
    };
  const answer = community.answer(answerIdOf(target));
  return (
    answer && {
      postType: 'ANSWER' as PostType,
      postId: answer.answerId,
      postAuthorId: answer.authorId,
      removed: answer.deleted,
    }
  );
};

const take = (community: Community, step: Step): void => {
  const actor = STUDENTS[step.student] ?? asker;
  if (step.act === 'vote') {
    const post = postOf(community, step.target);
    const postId = post?.postId ?? 'none';
    const facts = post && { ...post, questionId: QUESTION, spaceId: SPACE };
    const command = { actor, isMember: true, voterIsStandIn: false, post: facts, direction: step.direction };
    community.run(voteStream(postId, actor.studentId), () =>
      toggleVote(command, community.vote(postId, actor.studentId)),
    );
    return;
  }
  const answerId = answerIdOf(step.act === 'answer' ? step.student : step.target);
  const answer = community.answer(answerId);
  if (step.act === 'answer') {
    const question = { questionId: QUESTION, spaceId: SPACE, authorId: asker.studentId, removed: false };
    const command = { actor, isMember: true, answerId, question, body: 'A', imageUrls: [] };
    community.run(answerStream(answerId), () => postAnswer(command, answer));
  } else if (step.act === 'delete') {
    community.run(answerStream(answerId), () => deleteAnswer({ actor, reason: null }, answer));
  } else {
    const accepted = community.question()?.acceptedAnswerId;
    const before = accepted ? community.answer(accepted) : undefined;
    const facts = answer && { ...answer, removed: answer.deleted };
    const command = {
      actor,
      isMember: true,
      isAuthorAway: false,
      removedByModerator: false,
      answer: facts,
      previous: before && { ...before, removed: before.deleted },
    };
    community.run(questionStream(QUESTION), () => acceptAnswer(command, community.question()));
  }
};

const anyStudent = fc.nat(STUDENTS.length - 1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('answer', 'delete', 'accept'),
      student: anyStudent,
      target: anyStudent,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('vote'),
      student: anyStudent,
      target: fc.option(anyStudent, { nil: null }),
      direction: fc.constantFrom('UP', 'DOWN'),
    }),
  },
);

const always = (check: (community: Community) => void) =>
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 80 }), (steps) => {
      const community = newCommunity();
      for (const step of steps) {
        take(community, step);
        check(community);
      }
    }),
    { numRuns: 150 },
  );

/** Computed from the log, like the counter on a page. */
const countsOf = (log: readonly DomainEvent[], postId: string): number =>
  log.reduce((count, event) => {
    if (event.type !== 'VoteCast' && event.type !== 'VoteWithdrawn') return count;
    if (event.data.postId !== postId) return count;
    return count + (event.type === 'VoteCast' ? 1 : -1);
  }, 0);

describe('students taking random actions on a question', () => {
  it('have at most one active vote per post, and counts equal the active votes', () =>
    always((community) => {
      for (const postId of [QUESTION, ...STUDENTS.map((_, index) => answerIdOf(index))]) {
        const standing = STUDENTS.filter(
          ({ studentId }) => community.vote(postId, studentId).standing !== null,
        );
        expect(countsOf(community.log, postId)).toBe(standing.length);
      }
    }));

  it('never vote on their own post or accept their own answer', () =>
    always(({ log }) => {
      for (const event of log) {
        if (event.type === 'VoteCast') expect(event.data.voterId).not.toBe(event.data.postAuthorId);
        if (event.type === 'AnswerAccepted')
          expect(event.data.answerAuthorId).not.toBe(event.data.questionAuthorId);
      }
    }));

  it('accept an answer only if no other accepted answer exists', () =>
    always(({ log }) => {
      let accepted: string | null = null;
      for (const event of log) {
        if (event.type === 'AnswerDeleted' && event.data.answerId === accepted) accepted = null;
        if (event.type === 'AnswerAccepted') {
          expect(accepted).toBeNull();
          accepted = event.data.answerId;
        }
      }
    }));

  it('have facts that match the active votes, and merit of at least 1', () =>
    always((community) => {
      const facts = factsOf(community.log);
      const received = facts.filter(({ kind, standing }) => standing && /_(UP|DOWN)VOTED$/.test(kind));
      expect(received.length).toBe(
        [QUESTION, ...STUDENTS.map((_, index) => answerIdOf(index))].reduce(
          (sum, id) => sum + countsOf(community.log, id),
          0,
        ),
      );
      for (const { studentId } of STUDENTS) {
        const own = facts.filter((fact) => fact.studentId === studentId);
        expect(scoreFold(own, []).reputations).toBeGreaterThanOrEqual(1);
      }
    }));

  it('never lose impact', () =>
    always(({ log }) => {
      for (const { studentId } of STUDENTS) {
        const impactAfter = (length: number) =>
          scoreFold(
            factsOf(log.slice(0, length)).filter((fact) => fact.studentId === studentId),
            [],
          ).commitments;
        expect(impactAfter(log.length)).toBeGreaterThanOrEqual(impactAfter(log.length - 1));
      }
    }));
});
