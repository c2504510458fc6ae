import type { Projection } from '../projection.js';
import { cases, caseVotes } from './cases.table.js';
import { patternTriages } from './pattern-triages.table.js';
import { judgedVotes, voteGivers, votePairs, voteTakers } from './judged-votes.table.js';

/** Who votes for whom, what moderators made of patterns, and the cases in which they declared votes invalid. */
export const patternsProjection = {
  name: 'patterns',
  purpose: 'Who votes for whom, triaged patterns, and cases of invalidated votes',
  version: 3,
  lingers: true,
  tables: [judgedVotes, cases, caseVotes, patternTriages],
  counters: [votePairs, voteGivers, voteTakers],
} as const satisfies Projection;
