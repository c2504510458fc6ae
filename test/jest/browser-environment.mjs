import HappyDomEnvironment from '@happy-dom/jest-environment';

// Node's own: happy-dom's `fetch` knows neither Node's streams nor its bodies. Not MessageChannel: React's scheduler would keep jest from ending.
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

/** An open one does not keep jest from ending. */
class UnheldChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

export default class BrowserEnvironment extends HappyDomEnvironment {
  async setup() {
    await super.setup();
    for (const name of FROM_NODE) this.global[name] = globalThis[name];
    this.global.BroadcastChannel = UnheldChannel;
    // As in browsers, an error of this page.
    Object.setPrototypeOf(this.global.DOMException.prototype, this.global.Error.prototype);
    // The environment's own takes a stack trace for each timer, to work with Jasmine.
    this.global.setTimeout = Object.getPrototypeOf(this.global).setTimeout.bind(this.global);
  }
}
