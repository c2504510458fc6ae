import type { DomainEvent, EventOf, FactKind, ScoringRules, VoteData } from '@nimo/domain';

// Counts scores from events, following the specification. Only types are imported, so no product code is involved.

export type LoggedEvent = DomainEvent & {
  readonly ordinal: number;
  readonly metadata: { readonly occurredAt: string };
};
type Logged<Type extends DomainEvent['type']> = LoggedEvent & EventOf<Type>;

type Points = readonly [merit: number, impact: number];
/** Points from the specification. */
const POINTS: Readonly<Record<FactKind, Points>> = {
  QUESTION_UPVOTED: [50, 0],
  ANSWER_UPVOTED: [70, 0],
  ANSWER_ACCEPTED: [100, 0],
  ACCEPTED_AN_ANSWER: [15, 0],
  QUESTION_DOWNVOTED: [-50, 0],
  ANSWER_DOWNVOTED: [-50, 0],
  DOWNVOTE_CAST: [-5, 0],
  POST_REPORTED: [-200, 0],
  QUESTION_POSTED: [0, 10],
  ANSWER_POSTED: [0, 10],
  COMMENT_POSTED: [0, 2],
  UPVOTE_CAST: [0, 1],
};
const MIN_MERIT = 1;
const DEFAULT_REPORT_THRESHOLD = 3;

export interface CountedScore {
  readonly spaceId: string;
  readonly studentId: string;
  readonly rank: number;
  readonly score: number;
  readonly reputations: number;
  readonly commitments: number;
}

interface Reason {
  readonly spaceId: string;
  readonly studentId: string;
  readonly kind: FactKind;
  readonly ordinal: number;
  readonly at: string;
  /** The student's own post that earned the points. */
  readonly earnedBy?: string;
  /** Whether another answer was accepted later. */
  readonly isSuperseded?: boolean;
}

const reason = (
  kind: FactKind,
  { spaceId, studentId }: Pick<Reason, 'spaceId' | 'studentId'>,
  { ordinal, metadata }: LoggedEvent,
  origin: Pick<Reason, 'earnedBy' | 'isSuperseded'> = {},
): Reason => ({ spaceId, studentId, kind, ordinal, at: metadata.occurredAt, ...origin });

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(item);
  }
  return [...groups.values()];
}

const firstOfEach = <T>(items: readonly T[], nameOf: (item: T) => string): readonly T[] =>
  grouped(items, nameOf).flatMap(([first]) => first ?? []);

function reasonsOfPostsAndAcceptances(events: readonly LoggedEvent[]): readonly Reason[] {
  const ofPosts = events.flatMap((event) => {
    if (event.type === 'QuestionAsked' || event.type === 'AnswerPosted' || event.type === 'CommentPosted') {
      const { spaceId, authorId: studentId } = event.data;
      const kinds = {
        QuestionAsked: 'QUESTION_POSTED',
        AnswerPosted: 'ANSWER_POSTED',
        CommentPosted: 'COMMENT_POSTED',
      } as const;
      return [reason(kinds[event.type], { spaceId, studentId }, event, { earnedBy: postIdOf(event) })];
    }
    return [];
  });
  const acceptances = events.filter(
    (event): event is Logged<'AnswerAccepted'> => event.type === 'AnswerAccepted',
  );
  const lastOf = new Map(acceptances.map(({ data }) => [data.questionId, data]));
  const byAnswer = ({ data }: Logged<'AnswerAccepted'>) => `${data.questionId} ${data.answerId}`;
  const ofAnswerers = firstOfEach(acceptances, byAnswer).map((event) => {
    const { spaceId, questionId, answerId, answerAuthorId: studentId } = event.data;
    const isSuperseded = lastOf.get(questionId)?.answerId !== answerId;
    return reason('ANSWER_ACCEPTED', { spaceId, studentId }, event, { earnedBy: answerId, isSuperseded });
  });
  // A moderator's acceptance pays the author of the question nothing, even of an answer the author accepted before.
  const own = acceptances.filter(({ data }) => data.acceptedBy === undefined);
  const ofAskers = firstOfEach(own, byAnswer).map((event) => {
    const { spaceId, questionId, questionAuthorId: studentId, answerId } = event.data;
    const last = lastOf.get(questionId);
    const isSuperseded = last?.answerId !== answerId || last.acceptedBy !== undefined;
    const details = { earnedBy: questionId, isSuperseded };
    return reason('ACCEPTED_AN_ANSWER', { spaceId, studentId }, event, details);
  });
  return [...ofPosts, ...ofAnswerers, ...ofAskers];
}

const postIdOf = ({ type, data }: LoggedEvent): string => {
  if (type === 'QuestionAsked' || type === 'QuestionDeleted') return data.questionId;
  if (type === 'AnswerPosted' || type === 'AnswerDeleted') return data.answerId;
  return type === 'CommentPosted' || type === 'CommentDeleted' ? data.commentId : '';
};

/** Hours between a post and its deletion by the author, by post. */
function lifetimes(events: readonly LoggedEvent[]): ReadonlyMap<string, number> {
  const hours = new Map<string, number>();
  for (const event of events) {
    const { type, data } = event;
    if (type !== 'QuestionDeleted' && type !== 'AnswerDeleted' && type !== 'CommentDeleted') continue;
    const posted = events.find((other) => postIdOf(other) === postIdOf(event));
    if (data.reason !== null || !posted || hours.has(postIdOf(event))) continue;
    const milliseconds = Date.parse(event.metadata.occurredAt) - Date.parse(posted.metadata.occurredAt);
    hours.set(postIdOf(event), milliseconds / 3_600_000);
  }
  return hours;
}

interface VoteEvent {
  readonly vote: VoteData;
  readonly event: LoggedEvent;
}

/** A vote counts from when it was last cast, unless withdrawn or invalidated. */
function reasonsOfVotes(events: readonly LoggedEvent[]): readonly Reason[] {
  const voteEvents = events.flatMap((event): VoteEvent[] => {
    if (event.type === 'VoteCast' || event.type === 'VoteWithdrawn') return [{ vote: event.data, event }];
    if (event.type === 'VotesInvalidated' || event.type === 'InvalidationReversed')
      return event.data.votes.map((vote) => ({ vote, event }));
    return [];
  });
  return grouped(voteEvents, ({ vote }) => `${vote.postId} ${vote.voterId} ${vote.direction}`).flatMap(
    reasonsOfVote,
  );
}

function reasonsOfVote(events: readonly VoteEvent[]): readonly Reason[] {
  const casts = events.filter(({ event }) => event.type === 'VoteCast');
  const [first, last] = [casts[0], casts.at(-1)];
  if (!first || !last || isInvalidated(events, first.event)) return [];
  const { spaceId, postType, postAuthorId, voterId, direction, voterIsStandIn } = first.vote;
  const isHeld =
    events.findLast(({ event }) => event.type === 'VoteCast' || event.type === 'VoteWithdrawn') === last;
  const author = { spaceId, studentId: postAuthorId };
  const voter = { spaceId, studentId: voterId };
  return [
    ...(isHeld
      ? [
          reason(
            `${postType}_${direction}VOTED`,
            author,
            last.event,
            direction === 'UP' ? { earnedBy: first.vote.postId } : {},
          ),
        ]
      : []),
    // Impact is never lost.
    ...(direction === 'UP' && !voterIsStandIn ? [reason('UPVOTE_CAST', voter, first.event)] : []),
    ...(direction === 'DOWN' && !voterIsStandIn && isHeld
      ? [reason('DOWNVOTE_CAST', voter, last.event)]
      : []),
  ];
}

/** Whether a case opened after the first cast has not been reversed. */
const isInvalidated = (events: readonly VoteEvent[], firstCast: LoggedEvent): boolean =>
  events.some(
    ({ event: opened }) =>
      opened.type === 'VotesInvalidated' &&
      opened.ordinal > firstCast.ordinal &&
      !events.some(
        ({ event: closed }) =>
          closed.type === 'InvalidationReversed' &&
          closed.data.caseId === opened.data.caseId &&
          closed.ordinal > opened.ordinal,
      ),
  );

type OfRound = Logged<'PostReported' | 'ReportsUpheld' | 'ReportsDismissed' | 'UpholdingReversed'>;
const isOfRound = (event: LoggedEvent): event is OfRound =>
  event.type === 'PostReported' ||
  event.type === 'ReportsUpheld' ||
  event.type === 'ReportsDismissed' ||
  event.type === 'UpholdingReversed';

/**
 * Reports cost points once they reach the threshold or, if the rules or the moderator say so, are upheld; unless dismissed, reversed
 * or upheld without a penalty.
 */
function reasonsOfReports(events: readonly LoggedEvent[], rules: readonly ScoringRules[]): readonly Reason[] {
  const rounds = grouped(events.filter(isOfRound), ({ data }) => `${data.postId} ${data.round}`);
  return rounds.flatMap((round) => {
    const reports = firstOfEach(
      round.filter((event): event is Logged<'PostReported'> => event.type === 'PostReported'),
      ({ data }) => data.reporterId,
    );
    const [first] = reports;
    const isOver = round.some(
      (event) =>
        (event.type === 'ReportsDismissed' ||
          event.type === 'UpholdingReversed' ||
          (event.type === 'ReportsUpheld' && event.data.penalty === 'NONE')) &&
        event.ordinal > (first?.ordinal ?? 0),
    );
    const upheld = round.find(
      (event): event is Logged<'ReportsUpheld'> =>
        event.type === 'ReportsUpheld' && event.ordinal > (first?.ordinal ?? Infinity),
    );
    const isCharged =
      upheld?.data.penalty === 'FULL' ||
      rulesAt(rules, upheld?.metadata.occurredAt ?? '')?.upheldReportsCount === true;
    const decided = isCharged ? upheld : undefined;
    const reached = reports.find(
      ({ metadata }, index) =>
        index + 1 >= (rulesAt(rules, metadata.occurredAt)?.reportThreshold ?? DEFAULT_REPORT_THRESHOLD),
    );
    const [due] = [reached, decided]
      .filter((event) => event !== undefined)
      .sort((left, right) => left.ordinal - right.ordinal);
    if (isOver || !due) return [];
    const { spaceId, postAuthorId: studentId } = due.data;
    return [reason('POST_REPORTED', { spaceId, studentId }, due)];
  });
}

/** Rules that were published and not withdrawn. */
function rulesOf(events: readonly LoggedEvent[]): readonly ScoringRules[] {
  const rules = new Map<number, ScoringRules>();
  for (const { type, data } of events)
    if (type === 'ScoringRulesPublished') rules.set(data.version, data);
    else if (type === 'ScoringRulesWithdrawn') rules.delete(data.version);
  return [...rules.values()];
}

/** The latest version in force at a time; undefined means the specification's. */
const rulesAt = (rules: readonly ScoringRules[], at: string): ScoringRules | undefined =>
  rules
    .filter(({ effectiveFrom }) => effectiveFrom === null || Date.parse(effectiveFrom) <= Date.parse(at))
    .sort((left, right) => left.version - right.version)
    .at(-1);

/** IDs of robots are UUIDs of version 8. */
const isRobot = (studentId: string): boolean => studentId[14] === '8';

/** Whether the rules against farming leave the points. */
function isPaid(
  { earnedBy, isSuperseded }: Reason,
  rules: ScoringRules | undefined,
  hours: ReadonlyMap<string, number>,
): boolean {
  if (isSuperseded === true && rules?.acceptancePaysOncePerQuestion === true) return false;
  const limit = rules?.deletionForfeitsWithinHours ?? 0;
  return limit === 0 || (hours.get(earnedBy ?? '') ?? Infinity) > limit;
}

/** Scores by space, in leaderboard order. */
export function scoresByHand(events: readonly LoggedEvent[]): ReadonlyMap<string, readonly CountedScore[]> {
  const rules = rulesOf(events);
  const hours = lifetimes(events);
  const reasons = [
    ...reasonsOfPostsAndAcceptances(events),
    ...reasonsOfVotes(events),
    ...reasonsOfReports(events, rules),
  ].filter((entry) => !isRobot(entry.studentId) && isPaid(entry, rulesAt(rules, entry.at), hours));
  const pointsOf = ({ kind, at }: Reason): Points => {
    const weight = rulesAt(rules, at)?.weights[kind];
    return weight ? [weight.merit, weight.impact] : POINTS[kind];
  };
  const scores = grouped(reasons, ({ spaceId, studentId }) => `${spaceId} ${studentId}`).map((own) =>
    scoreFrom(own, pointsOf),
  );
  const boards = grouped(scores, ({ spaceId }) => spaceId).map((board) =>
    board
      .toSorted(
        (left, right) =>
          right.score - left.score ||
          left.reachedAt - right.reachedAt ||
          (left.studentId < right.studentId ? -1 : 1),
      )
      .map(({ reachedAt: _, ...score }, index) => ({ ...score, rank: index + 1 })),
  );
  return new Map(boards.map((board) => [board[0]?.spaceId ?? '', board]));
}

/** Sums points in log order; merit never drops below 1. */
function scoreFrom(reasons: readonly Reason[], pointsOf: (entry: Reason) => Points) {
  let [reputations, commitments, reachedAt] = [MIN_MERIT, 0, 0];
  for (const entry of reasons.toSorted((left, right) => left.ordinal - right.ordinal)) {
    const [merit, impact] = pointsOf(entry);
    reputations = Math.max(MIN_MERIT, reputations + merit);
    commitments += impact;
    if (merit !== 0 || impact !== 0) reachedAt = entry.ordinal;
  }
  const [{ spaceId, studentId }] = reasons as [Reason];
  return { spaceId, studentId, reputations, commitments, score: reputations + commitments, reachedAt };
}
