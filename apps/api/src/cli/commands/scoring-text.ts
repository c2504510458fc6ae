import { FACT_KINDS, type RulesState } from '@nimo/domain';
import type { ScoreMoveView, ScoringVersionView, StandingView } from '@nimo/projections';
import { grouped } from '../progress-line.js';
import { textTable } from '../text-table.js';
import type { TrialReport } from './scoring.js';

const signed = (points: number): string => (points > 0 ? `+${grouped(points)}` : grouped(points));

/** For which part of history rules are. */
export const scopeText = (effectiveFrom: string | null): string =>
  effectiveFrom === null ? 'for all of history' : `for what happens from ${effectiveFrom} on`;

const STATES: Readonly<Record<RulesState, string>> = {
  SCHEDULED: 'scheduled',
  IN_FORCE: 'in force',
  REPLACED: 'replaced by a later version',
  WITHDRAWN: 'withdrawn',
};

/** A version of the rules for a person to read. */
export function versionText(rules: ScoringVersionView): string {
  const { version, effectiveFrom, publishedAt, state, note, reportThreshold, weights } = rules;
  const { withdrawnAt, withdrawalReason } = rules;
  const origin =
    publishedAt === null
      ? 'the rules the product began with'
      : `published ${publishedAt}, ${scopeText(effectiveFrom)}`;
  const rows = FACT_KINDS.map((kind) => [kind, String(weights[kind].merit), String(weights[kind].impact)]);
  return [
    `Version ${version} (${STATES[state]}): ${origin}`,
    ...(publishedAt === null ? [] : [note]),
    ...(withdrawnAt === null ? [] : [`Withdrawn ${withdrawnAt}: ${withdrawalReason ?? ''}`]),
    '',
    textTable([['what happens', 'merit', 'impact'], ...rows]),
    '',
    `Reports cost points from ${reportThreshold} reporters on.`,
  ].join('\n');
}

/** What rules would do, for a person to read. */
export function trialText(trial: TrialReport): string {
  const { students, movers, gainers, losers, reranked, lines, distribution, most, tookMs } = trial;
  const upTo = (to: number | null) => (to === null ? 'and more' : `to ${grouped(to)}`);
  return [
    `${grouped(movers)} of ${grouped(students)} scores change (${grouped(gainers)} up, ${grouped(losers)} down), ${grouped(reranked)} come to another rank.`,
    `All points together: ${grouped(trial.pointsBefore)} → ${grouped(trial.pointsAfter)}. Counted in ${(tookMs / 1000).toFixed(1)} s; nothing was changed.`,
    '',
    textTable([
      ['line', 'come in', 'fall out'],
      ...lines.map(({ line, entered, left }) => [line, grouped(entered), grouped(left)]),
    ]),
    '',
    textTable([
      ['score', 'now', 'then'],
      ...distribution.map(({ from, to, before, after }) => [
        `${grouped(from)} ${upTo(to)}`,
        grouped(before),
        grouped(after),
      ]),
    ]),
    ...moversText('Most gained', most.gained),
    ...moversText('Most lost', most.lost),
  ].join('\n');
}

function moversText(title: string, moves: readonly ScoreMoveView[]): string[] {
  if (moves.length === 0) return [];
  const both = (move: ScoreMoveView, column: keyof StandingView) =>
    `${move.before?.[column] ?? '–'} → ${move.after?.[column] ?? '–'}`;
  const rows = moves.map((move) => [
    move.student.userName,
    move.spaceName,
    both(move, 'rank'),
    both(move, 'score'),
    signed(move.change),
  ]);
  return ['', `${title}:`, textTable([['student', 'space', 'rank', 'score', 'change'], ...rows], [0, 1])];
}
