import {
  type FactEvent,
  foldFact,
  type ReportFact,
  type ScoreFact,
  type ScoreFactKey,
} from './score-fact.js';

/** A fact as it stood from one of its events on. */
export type FactVersion = {
  readonly sinceOrdinal: number;
  readonly sinceAt: string;
  readonly ordinal: number;
  readonly occurredAt: string;
  readonly standing: boolean;
  readonly reports: readonly ReportFact[];
};

/** The event without what no fact asks for. */
export const factEventOf = (event: FactEvent): FactEvent => {
  const { ordinal } = event;
  const metadata = { occurredAt: event.metadata.occurredAt };
  switch (event.type) {
    case 'VotesInvalidated':
    case 'InvalidationReversed':
      return { type: event.type, ordinal, metadata, data: { caseId: event.data.caseId } };
    case 'PostReported': {
      const { reporterId, round } = event.data;
      return { type: event.type, ordinal, metadata, data: { reporterId, round } };
    }
    default:
      return { type: event.type, ordinal, metadata };
  }
};

const versionOf = (fact: ScoreFact, { ordinal, metadata }: FactEvent): FactVersion => ({
  sinceOrdinal: ordinal,
  sinceAt: metadata.occurredAt,
  ordinal: fact.ordinal,
  occurredAt: fact.occurredAt,
  standing: fact.standing,
  reports: fact.reports,
});

/** What the fact was after each of its events, in log order. */
export const versionsByOrdinal = (events: readonly FactEvent[], key: ScoreFactKey): FactVersion[] => {
  let fact: ScoreFact | undefined;
  return events.flatMap((event) => {
    fact = foldFact(fact, event, key);
    return fact ? [versionOf(fact, event)] : [];
  });
};

/** Whether the events happened in the order in which they were logged: not always so, an import tells of years ago. */
export const happenedInOrder = (events: readonly FactEvent[]): boolean =>
  events.every((event, index) => {
    const before = events[index - 1];
    return !before || before.metadata.occurredAt <= event.metadata.occurredAt;
  });

/**
 * What the fact was at each moment at which something happened to it: the fold, in log order, of what had happened by then.
 * Where the events happened in order these are the versions by ordinal.
 */
export const versionsByMoment = (events: readonly FactEvent[], key: ScoreFactKey): FactVersion[] =>
  [...new Set(events.map(({ metadata }) => metadata.occurredAt))].sort().flatMap((moment) => {
    const happened = events.filter(({ metadata }) => metadata.occurredAt <= moment);
    const last = versionsByOrdinal(happened, key).at(-1);
    return last ? [{ ...last, sinceAt: moment }] : [];
  });
