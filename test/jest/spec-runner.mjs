import { createRunner } from 'jest-light-runner';

/**
 * Gives each spec file its own channel. `jest-light-runner` 0.7.13 shares one among all processes of a project: settings requested by the
 * first are broadcast, and a process that is not listening yet waits forever.
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
