import type { DomainEvent, EventOf, FactKind, VoteData } from '../events.js';
import type { EventMetadata } from '../metadata.js';

export type UpholdingFact = {
  readonly ordinal: number;
  readonly occurredAt: string;
  /** The moderator charged the penalty, whatever the rules say. */
  readonly isFull: boolean;
};

/** One report of a round, in log order. */
export type ReportFact = {
  readonly reporterId: string;
  readonly ordinal: number;
  readonly occurredAt: string;
};

/**
 * Something that may earn or cost a student points in a space. Independent of the scoring rules, which are applied when scores are
 * computed.
 */
export type ScoreFact = {
  readonly spaceId: string;
  readonly studentId: string;
  readonly kind: FactKind;
  readonly postId: string;
  /** Distinguishes facts of one kind on one post: the voter, the question of an accepted answer, or `round-<n>` of reports. */
  readonly sourceId: string;
  /** Position of the latest cast of a vote. For UPVOTE_CAST and rounds of reports, position of the first event. */
  readonly ordinal: number;
  readonly occurredAt: string;
  /** False for withdrawn votes, and for rounds of reports that were dismissed, reversed or upheld without a penalty. */
  readonly held: boolean;
  /** Unreversed cases that invalidated the vote. There can be more than one. */
  readonly invalidatedBy: readonly string[];
  /** `held` and not invalidated. */
  readonly standing: boolean;
  readonly round: number | null;
  /** First report of each reporter in the round; empty for other kinds. */
  readonly reports: readonly ReportFact[];
  /** First decision that upheld the round; null for other kinds. */
  readonly upheld: UpholdingFact | null;
  /** When the author deleted the post, for facts of posting. A removal by a moderator does not count. */
  readonly deletedAt: string | null;
  /** Whether another answer of the question was accepted later, for facts of an acceptance. */
  readonly superseded: boolean;
};

export type ScoreFactKey = readonly [
  spaceId: string,
  studentId: string,
  kind: FactKind,
  postId: string,
  sourceId: string,
];

/** Fields of a projected event that the fold reads. */
export type OrdinalEvent = DomainEvent & {
  readonly ordinal: number;
  readonly metadata: Pick<EventMetadata, 'occurredAt'>;
};

/** Fields of an event that `foldFact` needs. */
export type FactEvent = Pick<OrdinalEvent, 'ordinal' | 'metadata'> &
  (
    | {
        readonly type: Exclude<
          DomainEvent['type'],
          'VotesInvalidated' | 'InvalidationReversed' | 'PostReported' | 'ReportsUpheld' | 'AnswerAccepted'
        >;
      }
    | {
        readonly type: 'VotesInvalidated' | 'InvalidationReversed';
        readonly data: Pick<EventOf<'VotesInvalidated'>['data'], 'caseId'>;
      }
    | {
        readonly type: 'PostReported';
        readonly data: Pick<EventOf<'PostReported'>['data'], 'reporterId' | 'round'>;
      }
    | {
        readonly type: 'ReportsUpheld';
        readonly data: Pick<EventOf<'ReportsUpheld'>['data'], 'penalty'>;
      }
    | {
        readonly type: 'AnswerAccepted';
        readonly data: Pick<EventOf<'AnswerAccepted'>['data'], 'answerId'>;
      }
  );

/** Event types that produce facts, for filtered subscriptions. */
export const FACT_EVENT_TYPES = [
  'QuestionAsked',
  'AnswerPosted',
  'CommentPosted',
  'QuestionDeleted',
  'AnswerDeleted',
  'CommentDeleted',
  'AnswerAccepted',
  'VoteCast',
  'VoteWithdrawn',
  'VotesInvalidated',
  'InvalidationReversed',
  'PostReported',
  'ReportsUpheld',
  'ReportsDismissed',
  'UpholdingReversed',
] as const satisfies readonly DomainEvent['type'][];

/** Facts of the author and of the voter, unless the voter is a stand-in. */
const voteKeys = ({
  postType,
  postId,
  spaceId,
  postAuthorId,
  voterId,
  direction,
  voterIsStandIn,
}: VoteData): ScoreFactKey[] => {
  const received: FactKind = `${postType}_${direction}VOTED`;
  const author: ScoreFactKey = [spaceId, postAuthorId, received, postId, voterId];
  return voterIsStandIn ? [author] : [author, [spaceId, voterId, `${direction}VOTE_CAST`, postId, voterId]];
};

type DecisionType = 'ReportsUpheld' | 'ReportsDismissed' | 'UpholdingReversed';

const roundKey = ({
  spaceId,
  postAuthorId,
  postId,
  round,
}: EventOf<'PostReported' | DecisionType>['data']): ScoreFactKey => [
  spaceId,
  postAuthorId,
  'POST_REPORTED',
  postId,
  `round-${round}`,
];

type Posting<Ids extends string> = Readonly<Record<'spaceId' | 'authorId' | Ids, string>>;

const questionKey = ({ spaceId, authorId, questionId }: Posting<'questionId'>): ScoreFactKey => [
  spaceId,
  authorId,
  'QUESTION_POSTED',
  questionId,
  questionId,
];
const answerKey = ({
  spaceId,
  authorId,
  answerId,
  questionId,
}: Posting<'answerId' | 'questionId'>): ScoreFactKey => [
  spaceId,
  authorId,
  'ANSWER_POSTED',
  answerId,
  questionId,
];
const commentKey = ({
  spaceId,
  authorId,
  commentId,
  parentId,
}: Posting<'commentId' | 'parentId'>): ScoreFactKey => [
  spaceId,
  authorId,
  'COMMENT_POSTED',
  commentId,
  parentId,
];

/** Only moderators give a reason. */
const isByAuthor = ({ reason }: { readonly reason: string | null }): boolean => reason === null;

/** Facts of the acceptance and of the earlier one that it supersedes. A moderator's acceptance pays only the answer's author. */
const acceptanceKeys = ({
  spaceId,
  questionAuthorId,
  questionId,
  acceptedBy,
  supersedes,
  ...accepted
}: EventOf<'AnswerAccepted'>['data']): ScoreFactKey[] =>
  [accepted, ...(supersedes ? [supersedes] : [])].flatMap(({ answerId, answerAuthorId }): ScoreFactKey[] => [
    [spaceId, answerAuthorId, 'ANSWER_ACCEPTED', answerId, questionId],
    ...(acceptedBy !== undefined && answerId === accepted.answerId
      ? []
      : [[spaceId, questionAuthorId, 'ACCEPTED_AN_ANSWER', questionId, answerId] as const]),
  ]);

/** Facts that the event creates or changes, without duplicates. Empty for events that do not affect scores. */
export const factKeysOf = (event: DomainEvent): readonly ScoreFactKey[] => {
  switch (event.type) {
    case 'QuestionAsked':
      return [questionKey(event.data)];
    case 'AnswerPosted':
      return [answerKey(event.data)];
    case 'CommentPosted':
      return [commentKey(event.data)];
    case 'QuestionDeleted':
      return isByAuthor(event.data) ? [questionKey(event.data)] : [];
    case 'AnswerDeleted':
      return isByAuthor(event.data) ? [answerKey(event.data)] : [];
    case 'CommentDeleted':
      return isByAuthor(event.data) ? [commentKey(event.data)] : [];
    case 'AnswerAccepted':
      return acceptanceKeys(event.data);
    case 'VoteCast':
    case 'VoteWithdrawn':
      return voteKeys(event.data);
    case 'VotesInvalidated':
    case 'InvalidationReversed':
      return event.data.votes.flatMap(voteKeys);
    case 'PostReported':
    case 'ReportsUpheld':
    case 'ReportsDismissed':
    case 'UpholdingReversed':
      return [roundKey(event.data)];
    default:
      return [];
  }
};

const newFact = (key: ScoreFactKey, { ordinal, metadata }: FactEvent): ScoreFact => {
  const [spaceId, studentId, kind, postId, sourceId] = key;
  return {
    spaceId,
    studentId,
    kind,
    postId,
    sourceId,
    ordinal,
    occurredAt: metadata.occurredAt,
    held: true,
    invalidatedBy: [],
    standing: true,
    round: null,
    reports: [],
    upheld: null,
    deletedAt: null,
    superseded: false,
  };
};

const change = (fact: ScoreFact, changes: Partial<ScoreFact>): ScoreFact => {
  const changed = { ...fact, ...changes };
  return { ...changed, standing: changed.held && changed.invalidatedBy.length === 0 };
};

const addReport = (
  fact: ScoreFact | undefined,
  event: Extract<FactEvent, { type: 'PostReported' }>,
  key: ScoreFactKey,
): ScoreFact => {
  const round = fact ?? { ...newFact(key, event), round: event.data.round };
  const { reporterId } = event.data;
  if (round.reports.some((report) => report.reporterId === reporterId)) return round;
  const { ordinal, metadata } = event;
  return { ...round, reports: [...round.reports, { reporterId, ordinal, occurredAt: metadata.occurredAt }] };
};

/** Whether the event accepts another answer than the one of this fact. */
export const isSupersededBy = (
  { data }: Extract<FactEvent, { type: 'AnswerAccepted' }>,
  [, , kind, postId, sourceId]: ScoreFactKey,
): boolean => data.answerId !== (kind === 'ANSWER_ACCEPTED' ? postId : sourceId);

/** An answer can be accepted again, after the one that superseded it is gone and its own removal was reversed. */
const foldAcceptance = (
  fact: ScoreFact | undefined,
  event: Extract<FactEvent, { type: 'AnswerAccepted' }>,
  key: ScoreFactKey,
): ScoreFact | undefined => {
  const superseded = isSupersededBy(event, key);
  if (!fact) return superseded ? undefined : newFact(key, event);
  return fact.superseded === superseded ? fact : { ...fact, superseded };
};

const markDeleted = (fact: ScoreFact | undefined, { metadata }: FactEvent): ScoreFact | undefined =>
  fact?.deletedAt === null ? { ...fact, deletedAt: metadata.occurredAt } : fact;

const markUpheld = (
  fact: ScoreFact | undefined,
  { ordinal, metadata, data: { penalty } }: Extract<FactEvent, { type: 'ReportsUpheld' }>,
): ScoreFact | undefined => {
  if (!fact) return undefined;
  const upheld = fact.upheld ?? { ordinal, occurredAt: metadata.occurredAt, isFull: penalty === 'FULL' };
  const isHeld = fact.held && penalty !== 'NONE';
  return fact.upheld === upheld && fact.held === isHeld ? fact : change(fact, { upheld, held: isHeld });
};

/**
 * Fact after the event; the same object if unchanged. Depends on this row only.
 * An invalidation survives a withdrawal and a new cast, so that toggling a vote twice does not undo it.
 */
export const foldFact = (
  fact: ScoreFact | undefined,
  event: FactEvent,
  key: ScoreFactKey,
): ScoreFact | undefined => {
  switch (event.type) {
    case 'QuestionAsked':
    case 'AnswerPosted':
    case 'CommentPosted':
      return fact ?? newFact(key, event);
    case 'QuestionDeleted':
    case 'AnswerDeleted':
    case 'CommentDeleted':
      return markDeleted(fact, event);
    case 'AnswerAccepted':
      return foldAcceptance(fact, event, key);
    case 'VoteCast':
      if (!fact) return newFact(key, event);
      if (fact.kind === 'UPVOTE_CAST') return fact;
      return change(fact, { held: true, ordinal: event.ordinal, occurredAt: event.metadata.occurredAt });
    case 'VoteWithdrawn':
      return !fact?.held || fact.kind === 'UPVOTE_CAST' ? fact : change(fact, { held: false });
    case 'VotesInvalidated': {
      const { caseId } = event.data;
      if (!fact || fact.invalidatedBy.includes(caseId)) return fact;
      return change(fact, { invalidatedBy: [...fact.invalidatedBy, caseId] });
    }
    case 'InvalidationReversed': {
      const { caseId } = event.data;
      if (!fact?.invalidatedBy.includes(caseId)) return fact;
      return change(fact, { invalidatedBy: fact.invalidatedBy.filter((id) => id !== caseId) });
    }
    case 'PostReported':
      return addReport(fact, event, key);
    case 'ReportsUpheld':
      return markUpheld(fact, event);
    case 'ReportsDismissed':
    case 'UpholdingReversed':
      return fact?.held ? change(fact, { held: false }) : fact;
    default:
      return fact;
  }
};
