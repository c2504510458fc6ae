import { DEFAULT_SCORING_RULES } from './scoring-rules.js';
import { act } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `scoring-rules`.

export type FactKind =
  | 'QUESTION_POSTED'
  | 'ANSWER_POSTED'
  | 'COMMENT_POSTED'
  | 'UPVOTE_CAST'
  | 'DOWNVOTE_CAST'
  | 'QUESTION_UPVOTED'
  | 'QUESTION_DOWNVOTED'
  | 'ANSWER_UPVOTED'
  | 'ANSWER_DOWNVOTED'
  | 'ANSWER_ACCEPTED'
  | 'ACCEPTED_AN_ANSWER'
  | 'POST_REPORTED';
export type Weight = { readonly merit: number; readonly impact: number };
export type ScoringRules = {
  readonly version: number;
  /** The rules hold for facts that occurred at or after this moment; null: for all of history. */
  readonly effectiveFrom: string | null;
  readonly weights: Readonly<Record<FactKind, Weight>>;
  /** How many distinct reporters of one round make the penalty fall due. */
  readonly reportThreshold: number;
  readonly note: string;
};
export type ScoringRulesPublished = { readonly type: 'ScoringRulesPublished'; readonly data: ScoringRules };
export type ScoringRulesEvent = ScoringRulesPublished;

export const scoringRulesEvents = slice<ScoringRulesEvent>()({
  streams: ['scoring-rules'],
  events: {
    ScoringRulesPublished: {
      example: { ...DEFAULT_SCORING_RULES, version: 2 },
      audit: act(({ version, note }) => ({ about: `${version}: ${note}` })),
    },
  },
});
