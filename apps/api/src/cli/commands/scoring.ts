import { CommandBus } from '@nestjs/cqrs';
import { type CheckedRules, DomainError, isAhead, latestVersion, type ScoringRules } from '@nimo/domain';
import {
  findTrialSummary,
  listScoringRules,
  listScoringVersions,
  pageOfScoreMoves,
  type ScoringVersionView,
} from '@nimo/projections';
import type { Command } from 'commander';
import process from 'node:process';
import { newFreshness } from '../../platform/commands/freshness.js';
import { PublishScoringRules, WithdrawScoringRules } from '../../features/scoring/commands/scoring-rules.js';
import { ScoringTrials } from '../../features/scoring/scoring-trials.js';
import { confirm } from '../confirm.js';
import {
  type CliSession,
  withSession,
  operatorContext,
  operatorName,
  withProjections,
} from '../cli-session.js';
import { helpText } from '../failure.js';
import { type JsonFlag, printResult } from '../output.js';
import {
  type FileContext,
  readRulesFile,
  checkRules,
  scopeText,
  trialText,
  versionText,
} from './scoring-text.js';

/** Owner of all trials from the command line: only one runs at a time. */
const OWNER = 'operator';
const MOVES_SHOWN = 10;

interface FromFlag {
  readonly from?: string;
}

const FROM_FLAG = [
  '--from <moment>',
  'apply the rules to events from this time (ISO 8601 with offset); overrides the file',
] as const;
const FILE_HELP = `The whole file is validated, and every problem is reported. "version" must be the latest version. "effectiveFrom" is the
time from which the rules apply; null means the whole history. Four fields are optional and off if missing:
"acceptancePaysOncePerQuestion", "deletionForfeitsWithinHours" (0 is off), "downvotesNeedMerit" and "upheldReportsCount".`;

export function scoring(program: Command): void {
  const group = program.command('scoring').description('show, try, publish and withdraw scoring rules');
  group
    .command('show')
    .description('show a version of the rules')
    .option('--version <number>', 'version to show (default: the latest that is not withdrawn)')
    .option('--json', 'print the rules as a file for try and publish')
    .addHelpText(
      'after',
      helpText(
        'scoring show --json > rules.json',
        'Edit the points in the file, then run: npm run nimo -- scoring try rules.json',
      ),
    )
    .action(show);
  group
    .command('try')
    .argument('<file>', 'rules in the format of `scoring show --json`')
    .description('show the effect of rules on all scores, without changing anything')
    .option(...FROM_FLAG)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', helpText('scoring try rules.json --from 2026-09-01T00:00:00Z', FILE_HELP))
    .action(tryRules);
  group
    .command('publish')
    .argument('<file>', 'rules in the format of `scoring show --json`')
    .description('publish rules, now or for a later time')
    .requiredOption('--note <text>', 'explanation shown to students')
    .option(...FROM_FLAG)
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print the published version as JSON')
    .addHelpText(
      'after',
      helpText(
        'scoring publish rules.json --note "Accepted answers count double"',
        `${FILE_HELP}\nRules for a later time are scheduled and can be withdrawn until then.`,
      ),
    )
    .action(publish);
  group
    .command('withdraw')
    .argument('<version>', 'number of a scheduled version')
    .description('withdraw a scheduled version before it takes effect')
    .requiredOption('--reason <text>', 'reason, shown in the history and the audit')
    .option('--yes', 'skip the confirmation prompt')
    .option('--json', 'print the withdrawn version as JSON')
    .addHelpText(
      'after',
      helpText(
        'scoring withdraw 3 --reason "Downvotes cost too much"',
        'The number is not reused. To replace a version that has taken effect, publish another one.',
      ),
    )
    .action(withdraw);
}

async function show({ version, json }: JsonFlag & { readonly version?: string }): Promise<void> {
  await withSession(async ({ runtime: { pool, clock } }) => {
    const versions = await listScoringVersions(pool, clock());
    const found =
      version === undefined
        ? versions.find(({ state }) => state !== 'WITHDRAWN')
        : versions.find((known) => known.version === Number(version));
    if (!found) throw new DomainError('SCORING_VERSION_NOT_FOUND');
    printResult(found, { ...(json && { json }) }, () => versionText(found));
  });
}

async function tryRules(path: string, { from, json }: JsonFlag & FromFlag): Promise<void> {
  const file = await readRulesFile(path);
  await withSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringRules(pool);
    const rules = checkRules(file, { path, from, versions, now: clock() });
    const result = await trialOf(session, rules, versions);
    printResult(result, { ...(json && { json }) }, () => trialText(result));
  });
}

async function trialOf(
  { runtime: { pool, settings } }: CliSession,
  tried: CheckedRules,
  published: readonly ScoringRules[],
) {
  const trials = new ScoringTrials(pool, settings);
  const { effectiveFrom } = tried;
  const rules = { ...tried, version: latestVersion(published) + 1, note: '' };
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
      pageOfScoreMoves(pool, { ...moves, sort: 'GAIN' }),
      pageOfScoreMoves(pool, { ...moves, sort: 'LOSS' }),
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

interface PublishFlags extends JsonFlag, FromFlag {
  readonly note: string;
  readonly yes?: true;
}

async function publish(path: string, { note, from, yes, json }: PublishFlags): Promise<void> {
  const file = await readRulesFile(path);
  await withSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringVersions(pool, clock());
    const version = Math.max(...versions.map((known) => known.version)) + 1;
    const rules = checkRules(file, { path, from, versions: notWithdrawn(versions), now: clock() });
    await confirm(
      `Publish these rules as version ${version}, ${scopeText(rules.effectiveFrom)}? Students will see: "${note}".`,
      { yes },
    );
    const basedOn = latestVersion(notWithdrawn(versions));
    const isApplied = await execute(
      session,
      (context) => new PublishScoringRules(context, { ...rules, basedOn, note }),
    );
    const published = { version, effectiveFrom: rules.effectiveFrom, note, isApplied };
    printResult(
      published,
      { ...(json && { json }) },
      () =>
        `Version ${version} is ${isAhead(rules, clock().toISOString()) ? 'scheduled' : 'published'}, ${scopeText(rules.effectiveFrom)}${isApplied ? '' : '. The leaderboards will be updated shortly'}.`,
    );
  });
}

/** Versions in ascending order, without withdrawn ones. */
const notWithdrawn = (versions: readonly ScoringVersionView[]): FileContext['versions'] =>
  versions.filter(({ state }) => state !== 'WITHDRAWN').toReversed();

interface WithdrawFlags extends JsonFlag {
  readonly reason: string;
  readonly yes?: true;
}

async function withdraw(number: string, { reason, yes, json }: WithdrawFlags): Promise<void> {
  const version = Number(number);
  await withSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringVersions(pool, clock());
    const found = versions.find((known) => known.version === version);
    if (!found) throw new DomainError('SCORING_VERSION_NOT_FOUND');
    await confirm(
      `Withdraw version ${version} (${scopeText(found.effectiveFrom)})? The number is not reused.`,
      { yes },
    );
    const isApplied = await execute(
      session,
      (context) => new WithdrawScoringRules(context, { version, reason }),
    );
    printResult(
      { version, reason, isApplied },
      { ...(json && { json }) },
      () => `Version ${version} withdrawn.`,
    );
  });
}

/** @returns whether the leaderboards are up to date */
async function execute(
  { runtime, container }: CliSession,
  commandOf: (context: ReturnType<typeof operatorContext>) => PublishScoringRules | WithdrawScoringRules,
): Promise<boolean> {
  const freshness = newFreshness();
  const context = { ...operatorContext(operatorName(runtime.settings)), freshness };
  await withProjections(runtime, async () => {
    await container.get(CommandBus, { strict: false }).execute(commandOf(context));
  });
  return !freshness.stale;
}
