import { createRunner } from 'jest-light-runner';

/**
 * Each spec file comes with a channel of its own. `jest-light-runner` 0.7.13 has one for all processes of a project: the first that asks for
 * its settings there has them sent to the others as well, and one that does not listen yet waits for them for ever.
 */
export default class SpecRunner extends createRunner({ runtime: 'child_process' }) {
  _runTest(test) {
    const running = super._runTest(test);
    const { config: projectConfig } = test.context;
    const runner = this._testRunners.get(projectConfig);
    const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
    if (this._runtime === 'child_process')
      runner.run = ({ path }) => runner.pool.run(path, { channel: channelOf(workerData) });
    return running;
  }
}

function channelOf(workerData) {
  let send;
  return {
    onMessage: (listener) => (send = listener),
    postMessage(message) {
      if (message === 'jest-light-runner-get-worker-data')
        send({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}
