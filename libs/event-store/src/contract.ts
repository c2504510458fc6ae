import { afterAll, beforeAll, describe } from '@jest/globals';
import type { EventStore } from './port.js';
import { describeAppending } from './contract/appending.contract.js';
import { describeCommands } from './contract/commands.contract.js';
import type { ContractLog } from './contract/contract-log.js';
import { describeEmpty } from './contract/empty.contract.js';
import { describeFailing } from './contract/failing.contract.js';
import { describeModel } from './contract/model.contract.js';
import { describeReading } from './contract/reading.contract.js';
import { describeSubscribing } from './contract/subscribing.contract.js';

export type { ContractLog, HeldAppend, Trait } from './contract/contract-log.js';

/**
 * The contract of every event store. Tests run sequentially on one log that has no other writers.
 * @param seed of the random commands; the test name shows it, and NIMO_COMMANDS_SEED replays it
 */
export function describeEventStore(name: string, seed: number, open: () => Promise<ContractLog>): void {
  describe(`event store contract: ${name}`, () => {
    let log: ContractLog;
    let store: EventStore;
    beforeAll(async () => {
      log = await open();
      store = log.connect();
    });
    afterAll(async () => {
      await store.close();
      await log.drop();
    });
    describe('an empty log', () =>
      describeEmpty(
        () => store,
        () => log,
      ));
    describe('appending', () =>
      describeAppending(
        () => store,
        () => log,
      ));
    describe('reading', () => describeReading(() => store));
    describe('commands', () => describeCommands(() => store, seed));
    describe('subscribing', () =>
      describeSubscribing(
        () => store,
        () => log,
      ));
    describe('the model', () =>
      describeModel(
        () => store,
        () => log,
        seed,
      ));
    describe('failures', () =>
      describeFailing(
        () => store,
        () => log,
      ));
  });
}
