import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type CheckedRules, DomainError, requireScoringRules, type ScoringRules } from '@nimo/domain';
import { Pool } from 'pg';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';

/** What a draft of rules says. */
export interface DraftedRules extends CheckedRules {
  /** The version that it was made from. */
  readonly basedOn: number;
}

export interface ScoringDraftRow extends DraftedRules {
  /** Another with every change. */
  readonly revision: string;
  readonly savedBy: string;
  readonly savedAt: string;
}

interface DraftColumns {
  revision: string;
  based_on: number;
  effective_from: Date | string | null;
  weights: ScoringRules['weights'];
  report_threshold: number;
  saved_by: string;
  saved_at: Date | string;
}

const COLUMNS = 'revision, based_on, effective_from, weights, report_threshold, saved_by, saved_at';

/** The one draft, shared by all maintainers. Whoever changes it says which state of it they saw. */
@Injectable()
export class ScoringDrafts {
  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async find(): Promise<ScoringDraftRow | null> {
    const { rows } = await this.pool.query<DraftColumns>(`select ${COLUMNS} from state.scoring_drafts`);
    return rows[0] ? draftFrom(rows[0]) : null;
  }

  /** @throws DomainError SCORING_DRAFT_CHANGED where it is not the one that the caller saw */
  async get(revision: string): Promise<ScoringDraftRow> {
    const draft = await this.find();
    if (draft?.revision !== revision) throw new DomainError('SCORING_DRAFT_CHANGED');
    return draft;
  }

  /** @param revision the state that the caller saw; null where there was no draft */
  async save(
    { basedOn, ...given }: DraftedRules,
    savedBy: string,
    revision: string | null,
  ): Promise<ScoringDraftRow> {
    const now = this.clock().toISOString();
    const { effectiveFrom, weights, reportThreshold } = requireScoringRules(given, { now });
    const { rows } = await this.pool.query<DraftColumns>({
      text:
        revision === null
          ? `insert into state.scoring_drafts (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
             on conflict do nothing returning ${COLUMNS}`
          : `update state.scoring_drafts set revision = $1, based_on = $2, effective_from = $3, weights = $4,
               report_threshold = $5, saved_by = $6, saved_at = $7 where revision = $8 returning ${COLUMNS}`,
      values: [
        randomUUID(),
        basedOn,
        effectiveFrom,
        JSON.stringify(weights),
        reportThreshold,
        savedBy,
        now,
        ...(revision === null ? [] : [revision]),
      ],
    });
    if (!rows[0]) throw new DomainError('SCORING_DRAFT_CHANGED');
    return draftFrom(rows[0]);
  }

  async discard(revision: string): Promise<void> {
    const { rowCount } = await this.pool.query('delete from state.scoring_drafts where revision = $1', [
      revision,
    ]);
    if (rowCount === 0) throw new DomainError('SCORING_DRAFT_CHANGED');
  }
}

const draftFrom = (row: DraftColumns): ScoringDraftRow => ({
  revision: row.revision,
  basedOn: row.based_on,
  effectiveFrom: row.effective_from === null ? null : new Date(row.effective_from).toISOString(),
  weights: row.weights,
  reportThreshold: row.report_threshold,
  savedBy: row.saved_by,
  savedAt: new Date(row.saved_at).toISOString(),
});
