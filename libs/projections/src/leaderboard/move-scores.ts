import { isCast, latestVersion, type ScoringRules } from '@nimo/domain';
import { factKeyOf } from '../fact-key.js';
import type { BatchEnd } from '../projection.js';
import type { Affected, FactChange } from './affected-students.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { type Kept, scoresFromFacts } from './read-scores.js';
import { keptAsOwn, ownScoreOf, stepped } from './score-rows.js';
import { writeLeaderboard, writeOwnScores } from './write-scores.js';

type Sql = Parameters<BatchEnd['run']>[1];

export interface Batch {
  readonly keptOf: (student: Affected) => Kept;
  readonly versions: readonly ScoringRules[];
  /** The ordinal after which it begins. */
  readonly after: number;
  /** A day began in this batch: some of its casts count for others, some do not. */
  readonly isDawn: boolean;
}

/** How the two scores of a student come to what they are after the batch. */
interface Plan {
  readonly student: Affected;
  readonly kept: Kept;
  /** Of casts others see nothing yet. */
  readonly forOthers: readonly FactChange[];
  /** From all facts, since the batch changed the student's past. */
  readonly isOwnReplayed: boolean;
  /** What others see is another score than the student's own, and its past changed. */
  readonly isSeenReplayed: boolean;
}

/** A fact that comes after all others of its student; anything else changes the past, and the past is replayed. */
const isAtTheEnd = ({ before, after }: FactChange, begin: number): boolean =>
  !before?.standing && !!after?.standing && after.kind !== 'POST_REPORTED' && after.ordinal > begin;

function planOf(student: Affected, kept: Kept, { after, isDawn }: Batch): Plan {
  const changesPast = (changes: readonly FactChange[]): boolean =>
    changes.some((change) => !isAtTheEnd(change, after));
  const forOthers = student.changes.filter(({ key }) => !isCast({ kind: factKeyOf(key)[2] }));
  return {
    student,
    kept,
    forOthers,
    isOwnReplayed: changesPast(student.changes),
    isSeenReplayed: kept.is_pending && (isDawn || changesPast(forOthers)),
  };
}

/** Moves both scores of the students to where the batch left their facts. */
export async function moveScores(sql: Sql, students: readonly Affected[], batch: Batch): Promise<void> {
  const { keptOf, versions } = batch;
  const plans = students.map((student) => planOf(student, keptOf(student), batch));
  const replayed = (facts: 'all' | 'public', of: readonly Plan[]) =>
    scoresFromFacts(
      sql,
      facts,
      of.map(({ student }) => student),
      versions,
    );
  const [ownFromFacts, seenFromFacts] = await Promise.all([
    replayed(
      'all',
      plans.filter((plan) => plan.isOwnReplayed),
    ),
    replayed(
      'public',
      plans.filter((plan) => plan.isSeenReplayed),
    ),
  ]);

  const ownAfter = ({ student, kept, isOwnReplayed }: Plan): LeaderboardRow | undefined =>
    isOwnReplayed ? ownFromFacts(student) : stepped(ownScoreOf(kept), student, student.changes, versions);
  const seenAfter = (plan: Plan, own: LeaderboardRow | undefined): LeaderboardRow | undefined => {
    const { student, kept, forOthers } = plan;
    if (!kept.is_pending) return own;
    if (plan.isSeenReplayed) return seenFromFacts(student);
    return stepped(kept.seen ?? undefined, student, forOthers, versions);
  };
  const moved = plans.map((plan) => ({ ...plan, own: ownAfter(plan) }));
  await Promise.all([
    writeOwnScores(
      sql,
      moved.map(({ student, kept, own }) => ({
        before: kept.own ?? undefined,
        after: kept.is_pending ? keptAsOwn(student, own, latestVersion(versions)) : undefined,
      })),
    ),
    writeLeaderboard(
      sql,
      moved.map(({ own, ...plan }) => ({ before: plan.kept.seen ?? undefined, after: seenAfter(plan, own) })),
    ),
  ]);
}
