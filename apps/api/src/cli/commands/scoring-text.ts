import { readFile } from 'node:fs/promises';
import {
  type CheckedRules,
  FACT_KINDS,
  latestVersion,
  readScoringRules,
  type RulesState,
  type Safeguards,
  type ScoringRules,
} from '@nimo/domain';
import type { findTrialSummary, ScoreMoveView, ScoringVersionView, StandingView } from '@nimo/projections';
import { UsageError } from '../failure.js';
import { formatCount, printNote, textTable } from '../output.js';

type TrialReport = NonNullable<Awaited<ReturnType<typeof findTrialSummary>>> & {
  readonly tookMs: number;
  readonly effectiveFrom: string | null;
  readonly most: { readonly gained: readonly ScoreMoveView[]; readonly lost: readonly ScoreMoveView[] };
};

/** Unvalidated JSON object read from a file. */
type RulesFile = Readonly<Record<string, unknown>>;

const refuse = (problem: string): never => {
  throw new UsageError(problem);
};

const isObject = (value: unknown): value is RulesFile =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export async function readRulesFile(path: string): Promise<RulesFile> {
  const bytes = await readFile(path).catch(() => refuse(`<file> ${path} cannot be read`));
  // Strips the byte-order mark that Windows editors write.
  return parsed(new TextDecoder().decode(bytes), path);
}

function parsed(text: string, path: string): RulesFile {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Refused below.
  }
  return refuse(`<file> ${path} is not a JSON object`);
}

export interface FileContext {
  readonly path: string;
  /** `--from`, which overrides `effectiveFrom` in the file. */
  readonly from: string | undefined;
  readonly now: Date;
  /** Published versions except withdrawn ones. */
  readonly versions: readonly ScoringRules[];
}

/** @throws UsageError listing every problem of the file and of `--from` */
export function checkRules(file: RulesFile, { path, from, now, versions }: FileContext): CheckedRules {
  const input = from === undefined ? file : { ...file, effectiveFrom: from };
  const latest = latestVersion(versions);
  const { problems, rules } = readScoringRules(input, { now: now.toISOString(), latest });
  if (problems.length > 0) {
    const lines = problems.map(
      ({ field, rule }) => `  ${from !== undefined && field === 'effectiveFrom' ? '--from' : field} ${rule}`,
    );
    refuse([`<file> ${path} contains invalid rules:`, ...lines].join('\n'));
  }
  const own = file['effectiveFrom'];
  if (from !== undefined && typeof own === 'string' && Date.parse(own) !== Date.parse(from))
    printNote(`--from ${from} is used instead of "effectiveFrom": "${own}" in the file.`);
  return rules;
}

const signed = (points: number): string => (points > 0 ? `+${formatCount(points)}` : formatCount(points));

/** Period that rules apply to. */
export const scopeText = (effectiveFrom: string | null): string =>
  effectiveFrom === null ? 'for the whole history' : `for events from ${effectiveFrom}`;

const STATES: Readonly<Record<RulesState, string>> = {
  SCHEDULED: 'scheduled',
  IN_FORCE: 'in force',
  REPLACED: 'replaced by a later version',
  WITHDRAWN: 'withdrawn',
};

export function versionText(rules: ScoringVersionView): string {
  const { version, effectiveFrom, publishedAt, state, note, reportThreshold, weights } = rules;
  const { withdrawnAt, withdrawalReason } = rules;
  const origin =
    publishedAt === null ? 'default rules' : `published ${publishedAt}, ${scopeText(effectiveFrom)}`;
  const rows = FACT_KINDS.map((kind) => [kind, String(weights[kind].merit), String(weights[kind].impact)]);
  return [
    `Version ${version} (${STATES[state]}): ${origin}`,
    ...(publishedAt === null ? [] : [note]),
    ...(withdrawnAt === null ? [] : [`Withdrawn ${withdrawnAt}: ${withdrawalReason ?? ''}`]),
    '',
    textTable([['event', 'merit', 'impact'], ...rows]),
    '',
    `Reports needed for a penalty: ${reportThreshold}.`,
    ...safeguardsText(rules),
  ].join('\n');
}

function safeguardsText(rules: Safeguards): string[] {
  const { acceptancePaysOncePerQuestion, deletionForfeitsWithinHours: hours } = rules;
  const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off');
  const deletion = hours === 0 ? 'off' : `within ${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return [
    `Acceptance pays once per question: ${onOff(acceptancePaysOncePerQuestion)}.`,
    `Deleting an own post forfeits its points: ${deletion}.`,
    `Downvotes need merit: ${onOff(rules.downvotesNeedMerit)}.`,
    `Upheld reports count below the threshold: ${onOff(rules.upheldReportsCount)}.`,
  ];
}

export function trialText(trial: TrialReport): string {
  const { students, movers, gainers, losers, reranked, lines, distribution, most, tookMs } = trial;
  const { refusedDownvotes } = trial;
  const upTo = (to: number | null) => (to === null ? 'or more' : `to ${formatCount(to)}`);
  return [
    `${formatCount(movers)} of ${formatCount(students)} scores change (${formatCount(gainers)} up, ${formatCount(losers)} down), ${formatCount(reranked)} students change rank.`,
    `Total points: ${formatCount(trial.pointsBefore)} → ${formatCount(trial.pointsAfter)}. Calculated in ${(tookMs / 1000).toFixed(1)} s; nothing was changed.`,
    ...(refusedDownvotes === 0
      ? []
      : [`${formatCount(refusedDownvotes)} downvotes would have been refused for lack of merit.`]),
    '',
    textTable([
      ['threshold', 'enter', 'leave'],
      ...lines.map(({ line, entered, left }) => [line, formatCount(entered), formatCount(left)]),
    ]),
    '',
    textTable([
      ['score', 'before', 'after'],
      ...distribution.map(({ from, to, before, after }) => [
        `${formatCount(from)} ${upTo(to)}`,
        formatCount(before),
        formatCount(after),
      ]),
    ]),
    ...moversText('Largest gains', most.gained),
    ...moversText('Largest losses', most.lost),
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
