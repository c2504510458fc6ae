import { CommandBus } from '@nestjs/cqrs';
import { type CheckedRules, DomainError, isAhead, latestVersion, type ScoringRules } from '@nimo/domain';
import {
  findTrialSummary,
  listScoringRules,
  listScoringVersions,
  pageOfMoves,
  type ScoringVersionView,
} from '@nimo/projections';
import type { Command } from 'commander';
import process from 'node:process';
import { newFreshness } from '../../platform/commands/freshness.js';
import { PublishScoringRules, WithdrawScoringRules } from '../../features/scoring/commands/scoring-rules.js';
import { ScoringTrials } from '../../features/scoring/scoring-trials.js';
import { askFirst } from '../ask-first.js';
import {
  type CliSession,
  inSession,
  operatorContext,
  operatorName,
  withProjections,
} from '../cli-session.js';
import { helpText } from '../failure.js';
import { type JsonFlag, printResult } from '../output.js';
import {
  type FileContext,
  readRulesFile,
  rulesIn,
  scopeText,
  trialText,
  versionText,
} from './scoring-text.js';

/** Whose trials these are: the command line's, of which one runs at a time. */
const OWNER = 'operator';
const MOVES_SHOWN = 10;

interface FromFlag {
  readonly from?: string;
}

const FROM_FLAG = [
  '--from <moment>',
  'for what happens from that moment on (ISO time with its offset), whatever the file says',
] as const;
const FILE_HELP = `The file is checked as a whole, and every problem is named. Its "version" must be the latest version, and its
"effectiveFrom" says from when the rules hold: null is all of history.`;

export function scoring(program: Command): void {
  const group = program.command('scoring').description('the rules by which points are given');
  group
    .command('show')
    .description('a version of the rules: the latest that was not withdrawn, unless another is given')
    .option('--version <number>', 'another version')
    .option('--json', 'print the rules as the file that try and publish read')
    .addHelpText(
      'after',
      helpText(
        'scoring show --json > rules.json',
        'Change the points in the file, then: npm run nimo -- scoring try rules.json',
      ),
    )
    .action(show);
  group
    .command('try')
    .argument('<file>', 'rules as `scoring show --json` prints them, with changed points')
    .description('what rules would do over the whole history; nothing is changed')
    .option(...FROM_FLAG)
    .option('--json', 'print the figures and the movers as JSON')
    .addHelpText('after', helpText('scoring try rules.json --from 2026-09-01T00:00:00Z', FILE_HELP))
    .action(tryRules);
  group
    .command('publish')
    .argument('<file>', 'rules as `scoring show --json` prints them, with changed points')
    .description('put rules into force, at once or at their moment')
    .requiredOption('--note <text>', 'what students are told')
    .option(...FROM_FLAG)
    .option('--yes', 'do not ask')
    .option('--json', 'print the version that was published as JSON')
    .addHelpText(
      'after',
      helpText(
        'scoring publish rules.json --note "Accepted answers count double"',
        `${FILE_HELP}\nRules for a later moment are scheduled, and can be withdrawn until then.`,
      ),
    )
    .action(publish);
  group
    .command('withdraw')
    .argument('<version>', 'number of a version that has yet to take effect')
    .description('withdraw a scheduled version before its moment')
    .requiredOption('--reason <text>', 'why; kept in the history and the audit')
    .option('--yes', 'do not ask')
    .option('--json', 'print the version that was withdrawn as JSON')
    .addHelpText(
      'after',
      helpText(
        'scoring withdraw 3 --reason "Downvotes cost too much"',
        'Its number is not used again. A version that has taken effect is replaced by publishing another one.',
      ),
    )
    .action(withdraw);
}

async function show({ version, json }: JsonFlag & { readonly version?: string }): Promise<void> {
  await inSession(async ({ runtime: { pool, clock } }) => {
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
  await inSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringRules(pool);
    const rules = rulesIn(file, { path, from, versions, now: clock() });
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

interface PublishFlags extends JsonFlag, FromFlag {
  readonly note: string;
  readonly yes?: true;
}

async function publish(path: string, { note, from, yes, json }: PublishFlags): Promise<void> {
  const file = await readRulesFile(path);
  await inSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringVersions(pool, clock());
    const version = Math.max(...versions.map((known) => known.version)) + 1;
    const rules = rulesIn(file, { path, from, versions: standing(versions), now: clock() });
    await askFirst(
      `Publish these rules as version ${version}, ${scopeText(rules.effectiveFrom)}? Students read: "${note}".`,
      { yes },
    );
    const basedOn = latestVersion(standing(versions));
    const isApplied = await executed(
      session,
      (context) => new PublishScoringRules(context, { ...rules, basedOn, note }),
    );
    const published = { version, effectiveFrom: rules.effectiveFrom, note, isApplied };
    printResult(
      published,
      { ...(json && { json }) },
      () =>
        `Version ${version} is ${isAhead(rules, clock().toISOString()) ? 'scheduled' : 'published'}, ${scopeText(rules.effectiveFrom)}${isApplied ? '' : '; the leaderboards follow in a moment'}.`,
    );
  });
}

/** In order, without those that were withdrawn. */
const standing = (versions: readonly ScoringVersionView[]): FileContext['versions'] =>
  versions.filter(({ state }) => state !== 'WITHDRAWN').toReversed();

interface WithdrawFlags extends JsonFlag {
  readonly reason: string;
  readonly yes?: true;
}

async function withdraw(number: string, { reason, yes, json }: WithdrawFlags): Promise<void> {
  const version = Number(number);
  await inSession(async (session) => {
    const { pool, clock } = session.runtime;
    const versions = await listScoringVersions(pool, clock());
    const found = versions.find((known) => known.version === version);
    if (!found) throw new DomainError('SCORING_VERSION_NOT_FOUND');
    await askFirst(
      `Withdraw version ${version} (${scopeText(found.effectiveFrom)})? Its number is not used again.`,
      { yes },
    );
    const isApplied = await executed(
      session,
      (context) => new WithdrawScoringRules(context, { version, reason }),
    );
    printResult(
      { version, reason, isApplied },
      { ...(json && { json }) },
      () => `Version ${version} is withdrawn.`,
    );
  });
}

/** @returns whether the leaderboards have it already */
async function executed(
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
