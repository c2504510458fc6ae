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
 * What every event store promises. Cases run one after the other on one log, which nobody else writes to.
 * @param seed of the random commands: told by the name of their test, and repeated by NIMO_COMMANDS_SEED
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
    describe('a model of it', () =>
      describeModel(
        () => store,
        () => log,
        seed,
      ));
    describe('failing', () =>
      describeFailing(
        () => store,
        () => log,
      ));
  });
}
