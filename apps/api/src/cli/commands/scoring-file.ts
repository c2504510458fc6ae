import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { type CheckedRules, latestVersion, readScoringRules, type ScoringRules } from '@nimo/domain';
import { UsageError } from '../usage-error.js';

/** A JSON object from outside, of which nothing is known yet. */
export type RulesFile = Readonly<Record<string, unknown>>;

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
    process.stderr.write(`--from ${from} is used instead of "effectiveFrom": "${own}" in the file.\n`);
  return rules;
}
