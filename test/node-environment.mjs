import { TestEnvironment } from 'jest-environment-node';
import { watchStorages } from './async-storages.mjs';

// Node carries what is kept in an AsyncLocalStorage to every promise and callback of the process, and each spec file has storages of its own:
// without this, the tenth file of a worker takes twice as long to start as the first. Decision 147.
const storages = watchStorages();

export default class NodeEnvironment extends TestEnvironment {
  async teardown() {
    await super.teardown();
    storages.disableUsed();
  }
}
