import type { BatchEnd } from '../projection.js';
import type { Affected, FactChange } from './affected-students.js';
import { keptScores, publishedRules, scoresFromFacts } from './read-scores.js';
import { stepped } from './score-rows.js';
import { writeLeaderboard } from './write-scores.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** A fact that comes after all others of its student; anything else changes the past, and the past is replayed. */
const isAtTheEnd = ({ before, after }: FactChange, begin: number): boolean =>
  !before?.standing && !!after?.standing && after.kind !== 'POST_REPORTED' && after.ordinal > begin;

/**
 * Moves the scores of the students to where the batch left their facts.
 * @param begin the ordinal after which the batch begins
 */
export async function moveScores(sql: Sql, students: readonly Affected[], begin: number): Promise<void> {
  const [versions, keptOf] = await Promise.all([publishedRules(sql), keptScores(sql, students)]);
  const isReplayed = ({ changes }: Affected) => changes.some((change) => !isAtTheEnd(change, begin));
  const fromFacts = await scoresFromFacts(sql, students.filter(isReplayed), versions);
  const steps = students.map((student) => {
    const before = keptOf(student);
    return { before, after: isReplayed(student) ? fromFacts(student) : stepped(before, student, versions) };
  });
  await writeLeaderboard(sql, steps);
}
