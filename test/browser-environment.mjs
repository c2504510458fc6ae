import { TestEnvironment } from 'jest-environment-jsdom';

// What browsers have and jsdom lacks. Not MessageChannel: React's scheduler would keep jest from ending.
const FROM_NODE = [
  'TextEncoder',
  'TextDecoder',
  'fetch',
  'Headers',
  'Request',
  'Response',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'structuredClone',
];

export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of FROM_NODE) this.global[name] ??= globalThis[name];
  }
}
