import type { Projection } from '../projection.js';
import { cases, caseVotes } from './cases.table.js';
import { judgedVotes, voteGivers, votePairs, voteTakers } from './judged-votes.table.js';

/** Who votes for whom, and the cases in which moderators declared votes invalid. */
export const patternsProjection = {
  name: 'patterns',
  purpose: 'Who votes for whom, and cases of invalidated votes',
  version: 2,
  lingers: true,
  tables: [judgedVotes, cases, caseVotes],
  counters: [votePairs, voteGivers, voteTakers],
} as const satisfies Projection;
