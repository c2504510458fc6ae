import {
  type EventOf,
  factKeysOf,
  foldFact,
  type Penalty,
  type ReportedPostType,
  type ScoreFact,
  scoreFold,
} from '@nimo/domain';
import type { Queryable } from '../queryable.js';
import { FACTS_OF_STUDENTS, factOf, type ScoreFactRow } from './leaderboard.tables.js';
import { listScoringRules } from './scoring-rules.queries.js';

const PENALTIES = ['RULES', 'NONE', 'FULL'] as const satisfies readonly Penalty[];

export interface PenaltyEffectsOptions {
  readonly postType: ReportedPostType;
  readonly postId: string;
  readonly questionId: string;
  readonly spaceId: string;
  readonly authorId: string;
  readonly round: number;
  /** ISO instant, whose rules apply. */
  readonly now: string;
}

/** Points by which the author's score changes if the reports are upheld now, for each penalty. */
export async function findPenaltyEffects(
  db: Queryable,
  { authorId: postAuthorId, now, ...post }: PenaltyEffectsOptions,
): Promise<{ readonly penalty: Penalty; readonly points: number }[]> {
  const [{ rows }, versions] = await Promise.all([
    db.query<ScoreFactRow>({ text: FACTS_OF_STUDENTS, values: [[post.spaceId], [postAuthorId]] }),
    listScoringRules(db),
  ]);
  const facts = rows.map(factOf);
  const before = scoreFold(facts, versions).score;
  return PENALTIES.map((penalty) => {
    const data = { ...post, postAuthorId, moderatorId: '', reason: '' };
    const upheld = { ...data, ...(penalty !== 'RULES' && { penalty }) };
    return { penalty, points: scoreFold(afterUpholding(facts, upheld, now), versions).score - before };
  });
}

function afterUpholding(
  facts: readonly ScoreFact[],
  data: EventOf<'ReportsUpheld'>['data'],
  now: string,
): ScoreFact[] {
  // Later than every fact.
  const at = { ordinal: Number.MAX_SAFE_INTEGER, metadata: { occurredAt: now } };
  const event = { type: 'ReportsUpheld', data } as const;
  const [key] = factKeysOf(event);
  return facts.map((fact) =>
    key && [fact.kind, fact.postId, fact.sourceId].join(' ') === key.slice(2).join(' ')
      ? (foldFact(fact, { ...event, ...at }, key) ?? fact)
      : fact,
  );
}
