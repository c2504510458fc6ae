import HappyDomEnvironment from '@happy-dom/jest-environment';

// happy-dom's `fetch` does not support Node's streams and bodies. MessageChannel stays out: React's scheduler would keep Jest running.
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

/** An open channel does not keep Jest running. */
class UnrefChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

export default class BrowserEnvironment extends HappyDomEnvironment {
  async setup() {
    await super.setup();
    for (const name of FROM_NODE) this.global[name] = globalThis[name];
    this.global.BroadcastChannel = UnrefChannel;
    // As in browsers, `instanceof Error` of the page's realm.
    Object.setPrototypeOf(this.global.DOMException.prototype, this.global.Error.prototype);
    // The environment's override captures a stack trace per timer, for Jasmine.
    this.global.setTimeout = Object.getPrototypeOf(this.global).setTimeout.bind(this.global);
  }
}
