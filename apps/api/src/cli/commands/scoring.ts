import { CommandBus } from '@nestjs/cqrs';
import { DomainError, latestVersion, requireMoment, requireScoringRules } from '@nimo/domain';
import { findTrialSummary, listScoringRules, listScoringVersions, pageOfMoves } from '@nimo/projections';
import type { Command } from 'commander';
import process from 'node:process';
import { PublishScoringRules } from '../../features/scoring/commands/publish-scoring-rules.js';
import { ScoringTrials } from '../../features/scoring/scoring-trials.js';
import { askFirst } from '../ask-first.js';
import { type CliSession, inSession, withProjections } from '../cli-session.js';
import { EXIT_CODES_HELP } from '../exit-codes.js';
import { operatorName } from '../operator-name.js';
import { operatorContext } from '../operator-session.js';
import { type JsonFlag, printResult } from '../print-result.js';
import { momentOf, readRulesFile, type RulesFile } from './scoring-file.js';
import { trialText, versionText } from './scoring-text.js';

/** Whose trials these are: the command line's, of which one runs at a time. */
const OWNER = 'operator';
const MOVES_SHOWN = 10;

interface FromFlag {
  readonly from?: string;
}

export function scoring(program: Command): void {
  const group = program.command('scoring').description('the rules by which points are given');
  group
    .command('show')
    .description('a version of the rules, the latest unless told otherwise')
    .option('--version <number>', 'an earlier version')
    .option('--json', 'print the rules as the file that try and publish read')
    .addHelpText(
      'after',
      help(
        'npm run nimo -- scoring show --json > rules.json',
        'Change the points in the file, then: npm run nimo -- scoring try rules.json',
      ),
    )
    .action(show);
  group
    .command('try')
    .argument('<file>', 'rules as `scoring show --json` prints them, with changed points')
    .description('what rules would do over the whole history; nothing is changed')
    .option(
      '--from <moment>',
      'for what happens from that moment on (ISO time); left out: for all of history',
    )
    .option('--json', 'print the figures and the movers as JSON')
    .addHelpText('after', help('npm run nimo -- scoring try rules.json --from 2026-09-01T00:00:00Z'))
    .action(tryRules);
  group
    .command('publish')
    .argument('<file>', 'rules as `scoring show --json` prints them, with changed points')
    .description('put rules into force; the leaderboards change in one moment')
    .requiredOption('--note <text>', 'what students are told')
    .option(
      '--from <moment>',
      'for what happens from that moment on (ISO time); left out: for all of history',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print the version that was published as JSON')
    .addHelpText(
      'after',
      help(
        'npm run nimo -- scoring publish rules.json --note "Accepted answers count double"',
        'Refused where another version was published since the file was written.',
      ),
    )
    .action(publish);
}

const help = (example: string, more?: string): string =>
  `\n${more === undefined ? '' : `${more}\n\n`}${EXIT_CODES_HELP}\n\nExample:\n  ${example}`;

async function show({ version, json }: JsonFlag & { readonly version?: string }): Promise<void> {
  await inSession(async ({ runtime: { pool } }) => {
    const versions = await listScoringVersions(pool);
    const wanted = version === undefined ? versions[0]?.version : Number(version);
    const found = versions.find((known) => known.version === wanted);
    if (!found) throw new DomainError('SCORING_VERSION_NOT_FOUND');
    printResult(found, { ...(json && { json }) }, () => versionText(found));
  });
}

async function tryRules(path: string, { from, json }: JsonFlag & FromFlag): Promise<void> {
  const file = await readRulesFile(path);
  await inSession(async (session) => {
    const result = await trialOf(session, file, momentOf(from));
    printResult(result, { ...(json && { json }) }, () => trialText(result));
  });
}

async function trialOf(
  { runtime: { pool, settings, clock } }: CliSession,
  file: RulesFile,
  effectiveFrom: string | null,
) {
  requireScoringRules(file);
  requireMoment(effectiveFrom, clock().toISOString());
  const trials = new ScoringTrials(pool, settings);
  const published = await listScoringRules(pool);
  const { weights, reportThreshold } = file;
  const rules = { version: latestVersion(published) + 1, effectiveFrom, weights, reportThreshold, note: '' };
  const stop = (): void => void trials.stop(OWNER);
  process.once('SIGINT', stop);
  try {
    const { trialId, tookMs } = await trials.run({
      owner: OWNER,
      versions: [...published, rules],
      effectiveFrom,
    });
    const moves = { trialId, only: 'MOVERS', page: 1, limit: MOVES_SHOWN } as const;
    const [summary, gainers, losers] = await Promise.all([
      findTrialSummary(pool, { trialId }),
      pageOfMoves(pool, { ...moves, sort: 'GAIN' }),
      pageOfMoves(pool, { ...moves, sort: 'LOSS' }),
    ]);
    return {
      tookMs,
      effectiveFrom,
      ...summary,
      most: {
        gained: gainers.docs.filter(({ change }) => change > 0),
        lost: losers.docs.filter(({ change }) => change < 0),
      },
    };
  } finally {
    process.off('SIGINT', stop);
  }
}

export type TrialReport = Awaited<ReturnType<typeof trialOf>>;

interface PublishFlags extends JsonFlag, FromFlag {
  readonly note: string;
  readonly yes?: true;
}

async function publish(path: string, { note, from, yes, json }: PublishFlags): Promise<void> {
  const { version: basedOn, ...rules } = await readRulesFile(path);
  const effectiveFrom = momentOf(from);
  requireScoringRules(rules);
  await inSession(async (session) => {
    const { runtime, container } = session;
    requireMoment(effectiveFrom, runtime.clock().toISOString());
    const scope = effectiveFrom === null ? 'for all of history' : `for what happens from ${effectiveFrom} on`;
    await askFirst(
      `Publish these rules as version ${basedOn + 1}, ${scope}? Every leaderboard changes, and students read: "${note}".`,
      { yes },
    );
    const freshness = { stale: false };
    const context = { ...operatorContext(operatorName(runtime.settings)), freshness };
    await withProjections(runtime, async () => {
      const command = new PublishScoringRules(context, { ...rules, basedOn, note, effectiveFrom });
      await container.get(CommandBus, { strict: false }).execute(command);
    });
    const published = { version: basedOn + 1, effectiveFrom, note, isApplied: !freshness.stale };
    printResult(
      published,
      { ...(json && { json }) },
      () =>
        `Version ${published.version} is published${published.isApplied ? '' : '; the leaderboards follow in a moment'}.`,
    );
  });
}
