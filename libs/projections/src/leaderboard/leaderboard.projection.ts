import type { BatchEnd, Projection } from '../projection.js';
import { affectedStudents, type FactChange, moveScores, rescoreEverybody } from './rescoring.js';
import { leaderboard, scoreBuckets, scoreFacts, scoringRules } from './leaderboard.tables.js';

const changesNothing = ({ before, after }: FactChange): boolean => !before?.standing && !after?.standing;

const batchEnd: BatchEnd = {
  tables: [leaderboard, scoreBuckets],
  looksAt: [],
  async run(changes, sql, { after, rebuilding }) {
    // Nobody reads scores before `whole` has made all of them.
    if (rebuilding) return;
    if ((changes.get(scoringRules.name) ?? []).length > 0) return rescoreEverybody(sql);
    // The rows are of the table that this projection declares under that name.
    const facts = (changes.get(scoreFacts.name) ?? []) as unknown as readonly FactChange[];
    const students = affectedStudents(facts.filter((change) => !changesNothing(change)));
    if (students.length > 0) await moveScores(sql, students, after);
  },
  whole: rescoreEverybody,
};

/** Scores and ranks of students in spaces: facts by folding, scores from the facts at the end of each batch. */
export const leaderboardProjection = {
  name: 'leaderboard',
  purpose: 'Score facts, scores and ranks',
  version: 5,
  lingers: true,
  tables: [scoreFacts, scoringRules],
  batchEnd,
} as const satisfies Projection;
