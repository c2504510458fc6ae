import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type CheckedRules,
  DomainError,
  requireScoringRules,
  type Safeguards,
  safeguardsOf,
  type ScoringRules,
} from '@nimo/domain';
import { Pool } from 'pg';
import { CLOCK, type Clock } from '../../platform/config/tokens.js';

/** Contents of a draft. */
export interface DraftedRules extends CheckedRules {
  /** Version the draft is based on. */
  readonly basedOn: number;
}

export interface ScoringDraftRow extends DraftedRules {
  /** Changes with every save. */
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
  safeguards: Partial<Safeguards>;
  saved_by: string;
  saved_at: Date | string;
}

const COLUMNS =
  'revision, based_on, effective_from, weights, report_threshold, safeguards, saved_by, saved_at';

/** The single draft shared by all maintainers. Changes name the revision they are based on. */
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

  /** @throws DomainError SCORING_DRAFT_CHANGED if the revision is no longer current */
  async get(revision: string): Promise<ScoringDraftRow> {
    const draft = await this.find();
    if (draft?.revision !== revision) throw new DomainError('SCORING_DRAFT_CHANGED');
    return draft;
  }

  /** @param revision revision the caller saw; null if there was no draft */
  async save(
    { basedOn, ...rules }: DraftedRules,
    savedBy: string,
    revision: string | null,
  ): Promise<ScoringDraftRow> {
    const now = this.clock().toISOString();
    const checked = requireScoringRules(rules, { now });
    const { effectiveFrom, weights, reportThreshold } = checked;
    const { rows } = await this.pool.query<DraftColumns>({
      text:
        revision === null
          ? `insert into state.scoring_drafts (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict do nothing returning ${COLUMNS}`
          : `update state.scoring_drafts set revision = $1, based_on = $2, effective_from = $3, weights = $4,
               report_threshold = $5, safeguards = $6, saved_by = $7, saved_at = $8 where revision = $9 returning ${COLUMNS}`,
      values: [
        randomUUID(),
        basedOn,
        effectiveFrom,
        JSON.stringify(weights),
        reportThreshold,
        JSON.stringify(safeguardsOf(checked)),
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
  ...safeguardsOf(row.safeguards),
  savedBy: row.saved_by,
  savedAt: new Date(row.saved_at).toISOString(),
});
