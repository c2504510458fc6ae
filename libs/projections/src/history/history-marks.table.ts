import type { ScoringRules } from '@nimo/domain';
import type { Key, Table } from '../projection.js';
import { ALL } from '../totals.js';

/** A moment worth a look back: rules were published, or a moderator decided or handed over. */
export type HistoryMarkRow = {
  /** Empty for all spaces. */
  readonly space_id: string;
  readonly ordinal: number;
  readonly occurred_at: string;
  readonly kind: string;
  readonly question_id: string | null;
  readonly rules: ScoringRules | null;
};

/** What stands on the slider, and by its own name. */
export const MARK_KINDS = [
  'ScoringRulesPublished',
  'ReportsUpheld',
  'ReportsDismissed',
  'ReportsHandedOver',
  'UpholdingReversed',
  'VotesInvalidated',
  'InvalidationReversed',
] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

export const historyMarks: Table<HistoryMarkRow> = {
  name: 'history_marks',
  columns: {
    space_id: { type: 'text' },
    ordinal: { type: 'bigint' },
    occurred_at: { type: 'timestamptz' },
    kind: { type: 'text' },
    question_id: { type: 'text', nullable: true },
    rules: { type: 'jsonb', nullable: true },
  },
  key: ['space_id', 'ordinal'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'ScoringRulesPublished':
        return [[ALL, event.ordinal]];
      case 'ReportsUpheld':
      case 'ReportsDismissed':
      case 'ReportsHandedOver':
      case 'UpholdingReversed':
        return [[event.data.spaceId, event.ordinal]];
      case 'VotesInvalidated':
      case 'InvalidationReversed':
        return [...new Set(event.data.votes.map(({ spaceId }) => spaceId))].map((spaceId) => [
          spaceId,
          event.ordinal,
        ]);
      default:
        return [];
    }
  },
  fold(row, event, [spaceId]) {
    return (
      row ?? {
        space_id: String(spaceId),
        ordinal: event.ordinal,
        occurred_at: event.metadata.occurredAt,
        kind: event.type,
        question_id: 'questionId' in event.data ? event.data.questionId : null,
        rules: event.type === 'ScoringRulesPublished' ? event.data : null,
      }
    );
  },
};
