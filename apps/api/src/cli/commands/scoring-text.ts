import { readFile } from 'node:fs/promises';
import {
  type CheckedRules,
  FACT_KINDS,
  latestVersion,
  readScoringRules,
  type RulesState,
  type ScoringRules,
} from '@nimo/domain';
import type { findTrialSummary, ScoreMoveView, ScoringVersionView, StandingView } from '@nimo/projections';
import { UsageError } from '../failure.js';
import { grouped, printNote, textTable } from '../output.js';

type TrialReport = NonNullable<Awaited<ReturnType<typeof findTrialSummary>>> & {
  readonly tookMs: number;
  readonly effectiveFrom: string | null;
  readonly most: { readonly gained: readonly ScoreMoveView[]; readonly lost: readonly ScoreMoveView[] };
};

/** A JSON object from outside, of which nothing is known yet. */
type RulesFile = Readonly<Record<string, unknown>>;

const refuse = (problem: string): never => {
  throw new UsageError(problem);
};

const isObject = (value: unknown): value is RulesFile =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export async function readRulesFile(path: string): Promise<RulesFile> {
  const bytes = await readFile(path).catch(() => refuse(`<file> ${path} cannot be read`));
  // Leaves out the byte-order mark that editors of Windows write.
  return parsed(new TextDecoder().decode(bytes), path);
}

function parsed(text: string, path: string): RulesFile {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse(`<file> ${path} is not one JSON object`);
}

export interface FileContext {
  readonly path: string;
  /** `--from`, which wins over the moment in the file. */
  readonly from: string | undefined;
  readonly now: Date;
  /** The versions that were not withdrawn. */
  readonly versions: readonly ScoringRules[];
}

/** @throws UsageError that names every problem of the file, and of `--from` */
export function rulesIn(file: RulesFile, { path, from, now, versions }: FileContext): CheckedRules {
  const given = from === undefined ? file : { ...file, effectiveFrom: from };
  const latest = latestVersion(versions);
  const { problems, rules } = readScoringRules(given, { now: now.toISOString(), latest });
  if (problems.length > 0) {
    const lines = problems.map(
      ({ field, rule }) => `  ${from !== undefined && field === 'effectiveFrom' ? '--from' : field} ${rule}`,
    );
    refuse([`<file> ${path} has rules that cannot be used:`, ...lines].join('\n'));
  }
  const own = file['effectiveFrom'];
  if (from !== undefined && typeof own === 'string' && Date.parse(own) !== Date.parse(from))
    printNote(`--from ${from} is used instead of "effectiveFrom": "${own}" in the file.`);
  return rules;
}

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
