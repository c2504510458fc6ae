import type { BatchEnd, Projection } from '../projection.js';
import { affectedStudents, type FactChange, updateScores, rescoreAll } from './rescoring.js';
import { leaderboard, scoreBuckets, scoreFacts, scoringRules } from './leaderboard.tables.js';

const changesNothing = ({ before, after }: FactChange): boolean => !before?.standing && !after?.standing;

const batchEnd: BatchEnd = {
  tables: [leaderboard, scoreBuckets],
  eventTypes: [],
  async run(changes, sql, { after, rebuilding }) {
    // During a rebuild, `whole` calculates all scores at the end.
    if (rebuilding) return;
    if ((changes.get(scoringRules.name) ?? []).length > 0) return rescoreAll(sql);
    // This projection declares the table under that name.
    const facts = (changes.get(scoreFacts.name) ?? []) as unknown as readonly FactChange[];
    const students = affectedStudents(facts.filter((change) => !changesNothing(change)));
    if (students.length > 0) await updateScores(sql, students, after);
  },
  finishRebuild: rescoreAll,
};

/** Scores and ranks by space. Facts are folded from events; scores are calculated from the facts at the end of each batch. */
export const leaderboardProjection = {
  name: 'leaderboard',
  purpose: 'Scores and ranks, with their breakdown',
  version: 7,
  lingers: true,
  tables: [scoreFacts, scoringRules],
  batchEnd,
} as const satisfies Projection;
