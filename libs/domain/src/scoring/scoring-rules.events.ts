import { DEFAULT_SCORING_RULES, type ScoringRules } from './scoring-rules.js';
import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Stream: `scoring-rules`.

export type ScoringRulesPublished = { readonly type: 'ScoringRulesPublished'; readonly data: ScoringRules };
/** Before the version took effect. Its number is not reused. */
export type ScoringRulesWithdrawn = {
  readonly type: 'ScoringRulesWithdrawn';
  readonly data: { readonly version: number; readonly reason: string };
};
export type ScoringRulesEvent = ScoringRulesPublished | ScoringRulesWithdrawn;

export const scoringRulesEvents = slice<ScoringRulesEvent>()({
  streams: ['scoring-rules'],
  errors: {
    SCORING_RULES_INVALID: {
      category: 'VALIDATION',
      field: 'weights',
      message: 'These scoring rules are not valid: {problem}.',
    },
    SCORING_NOTE_INVALID: {
      category: 'VALIDATION',
      field: 'note',
      message: 'Describe what changes for students, in 1 to {max} characters.',
    },
    SCORING_MOMENT_INVALID: {
      category: 'VALIDATION',
      field: 'effectiveFrom',
      message: 'New rules can take effect at most a year from now.',
    },
    SCORING_RULES_OUTDATED: {
      category: 'CONFLICT',
      message: 'The latest version of the rules is now {version}. Yours is based on version {basedOn}.',
    },
    SCORING_REASON_INVALID: {
      category: 'VALIDATION',
      field: 'reason',
      message: 'Give a reason of 1 to {max} characters.',
    },
    SCORING_VERSION_NOT_SCHEDULED: {
      category: 'CONFLICT',
      message:
        'Version {version} is not scheduled: it has taken effect or was withdrawn. Publish a new version to change the rules.',
    },
    SCORING_VERSION_NOT_FOUND: { category: 'NOT_FOUND', message: 'Scoring version not found.' },
    SCORING_DRAFT_CHANGED: {
      category: 'CONFLICT',
      message: 'Someone else changed this draft. Reload it and review the changes.',
    },
    SCORING_TRIAL_RUNNING: {
      category: 'CONFLICT',
      message: 'A preview is already running. Wait for it or stop it.',
    },
    SCORING_TRIAL_STOPPED: { category: 'CONFLICT', message: 'The preview was stopped.' },
    SCORING_TRIAL_GONE: {
      category: 'NOT_FOUND',
      message: 'This preview has expired. Please try again.',
    },
  },
  events: {
    ScoringRulesPublished: {
      example: { ...DEFAULT_SCORING_RULES, version: 2, note: 'The rules the product began with' },
      audit: auditedAction(({ version, note }) => ({ about: `${version}: ${note}` })),
    },
    ScoringRulesWithdrawn: {
      example: { version: 2, reason: 'Too generous' },
      audit: auditedAction(({ version, reason }) => ({ about: String(version), reason })),
    },
  },
});
