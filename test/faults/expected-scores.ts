import type { LoggedEvent } from './audit.js';
import type { CommunityModel } from './community-model.js';

export interface ExpectedScore {
  readonly student_id: string;
  readonly merit: number;
  readonly impact: number;
}

/** Section 9 of the specification, deliberately duplicated. */
const MERIT = {
  QUESTION_UP: 50,
  ANSWER_UP: 70,
  QUESTION_DOWN: -50,
  ANSWER_DOWN: -50,
  CASTING_DOWN: -5,
  ACCEPTED: 100,
  ACCEPTING: 15,
};
const IMPACT = { QUESTION: 10, ANSWER: 10, COMMENT: 2, UPVOTE: 1 };

interface Step {
  readonly position: number;
  readonly merit: number;
}

/** Expected scores according to the model. The log only supplies the order of the facts. */
export function expectedScores(model: CommunityModel, log: readonly LoggedEvent[]): ExpectedScore[] {
  const order = orderOf(log);
  const steps = new Map<string, Step[]>();
  const impact = new Map<string, number>();
  const earn = (studentId: string, points: number): void => {
    impact.set(studentId, (impact.get(studentId) ?? 0) + points);
    if (!steps.has(studentId)) steps.set(studentId, []);
  };
  const step = (studentId: string, fact: string, merit: number): void => {
    earn(studentId, 0);
    const position = order.get(fact);
    if (position === undefined) throw new Error(`the log has no ${fact}`);
    steps.get(studentId)?.push({ position, merit });
  };
  for (const post of model.posts.values()) {
    earn(post.authorId, IMPACT[post.kind]);
    if (post.acceptedAnswerId === null) continue;
    const fact = `accepted ${post.postId}`;
    step(post.authorId, fact, MERIT.ACCEPTING);
    step(model.post(post.acceptedAnswerId).authorId, fact, MERIT.ACCEPTED);
  }
  for (const { authorId } of model.comments.values()) earn(authorId, IMPACT.COMMENT);
  for (const { postId, voterId, direction, hasEverUpvoted } of model.votes.values()) {
    const post = model.post(postId);
    if (hasEverUpvoted) earn(voterId, IMPACT.UPVOTE);
    // A student has a row from the first fact on, even if it was withdrawn.
    earn(voterId, 0);
    earn(post.authorId, 0);
    if (direction === null) continue;
    const fact = `vote ${postId} ${voterId} ${direction}`;
    step(post.authorId, fact, MERIT[`${post.kind}_${direction}`]);
    if (direction === 'DOWN') step(voterId, fact, MERIT.CASTING_DOWN);
  }
  return [...steps].map(([studentId, facts]) => ({
    student_id: studentId,
    merit: facts
      .sort((left, right) => left.position - right.position)
      .reduce((merit, fact) => Math.max(1, merit + fact.merit), 1),
    impact: impact.get(studentId) ?? 0,
  }));
}

/** The position of the latest event of each fact. */
function orderOf(log: readonly LoggedEvent[]): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  for (const { position, type, data } of log) {
    if (type === 'VoteCast')
      order.set(
        `vote ${String(data['postId'])} ${String(data['voterId'])} ${String(data['direction'])}`,
        position,
      );
    if (type === 'AnswerAccepted') order.set(`accepted ${String(data['questionId'])}`, position);
  }
  return order;
}
