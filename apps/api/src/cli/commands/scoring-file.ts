import { readFile } from 'node:fs/promises';
import { FACT_KINDS, type ScoringRules } from '@nimo/domain';
import { UsageError } from '../usage-error.js';

/** Rules as `scoring show --json` prints them: `version` is the one that they were made from. */
export type RulesFile = Pick<ScoringRules, 'version' | 'weights' | 'reportThreshold'>;

const refuse = (problem: string): never => {
  throw new UsageError(problem);
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the points are right is for the domain to say; this is whether they are there. */
export async function readRulesFile(path: string): Promise<RulesFile> {
  const text = await readFile(path, 'utf8').catch(() => refuse(`<file> ${path} cannot be read`));
  const { version, weights, reportThreshold } = parsed(text, path);
  if (typeof version !== 'number') return refuse('<file> does not say which "version" it was made from');
  if (typeof reportThreshold !== 'number') return refuse('<file> has no "reportThreshold"');
  if (!isObject(weights)) return refuse('<file> has no "weights"');
  const unknown = Object.keys(weights).find((kind) => !(FACT_KINDS as readonly string[]).includes(kind));
  if (unknown !== undefined) return refuse(`"weights" names ${unknown}, which nobody can do`);
  // `requireScoringRules` looks at each line before anything is done with it.
  return { version, reportThreshold, weights: weights as RulesFile['weights'] };
}

function parsed(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  return refuse(`<file> ${path} is not one JSON object`);
}

/** An ISO time with its offset, as UTC; null where there is none. */
export function momentOf(from: string | undefined): string | null {
  if (from === undefined) return null;
  const time = new Date(from);
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(from))
    throw new UsageError('--from is not an ISO time with its offset, such as 2026-09-01T00:00:00Z');
  return time.toISOString();
}
