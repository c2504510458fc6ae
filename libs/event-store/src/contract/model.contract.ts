import { it } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { Follower } from './follower.js';
import { LogModel, type LogTraits } from './log-model.js';
import { commandSequences, followerBatchSize, assertEqual, Scenario } from './model-commands.js';

const TIME_LIMIT_MS = 300_000;

export function describeModel(store: () => EventStore, log: () => ContractLog, seed: number): void {
  it(`behaves like the model under random command sequences (NIMO_COMMANDS_SEED=${seed})`, async () => {
    const { emptyLog, sequences, uniqueEventIds, reportsDuplicates } = log();
    const traits = {
      uniqueEventIds: !isAbsent(uniqueEventIds),
      reportsDuplicates: !isAbsent(reportsDuplicates),
    };
    const other = log().connect();
    const processes = (): readonly [EventStore, EventStore] =>
      isAbsent(emptyLog) ? [store(), other] : emptyLog();
    try {
      await fc.assert(
        fc.asyncProperty(commandSequences, followerBatchSize, (commands, batchSize) =>
          runSequence(commands, processes(), traits, batchSize),
        ),
        {
          seed,
          numRuns: sequences,
          plugins: [fc.interruptAfterTimeLimit(TIME_LIMIT_MS - 30_000, { failOnInterrupt: true })],
        },
      );
    } finally {
      if (other !== store()) await other.close();
    }
  });
}

async function runSequence(
  commands: Iterable<fc.AsyncCommand<Scenario, readonly [EventStore, EventStore]>>,
  processes: readonly [EventStore, EventStore],
  traits: LogTraits,
  batchSize: number,
): Promise<void> {
  const start = await processes[0].head();
  const scenario = new Scenario(new LogModel(start, traits));
  const follower = new Follower(processes[1], start, batchSize);
  try {
    await fc.asyncModelRun(() => ({ model: scenario, real: processes }), commands);
    const { log } = scenario.model;
    const last = log.at(-1);
    if (last) await follower.reach(last.position);
    assertEqual(follower.seen, log);
  } finally {
    await follower.stop();
  }
}
