import { expect, it } from '@jest/globals';
import { Subscriptions } from './messages.js';

it('isolates faults of a listener from other listeners and the publisher', () => {
  const faults: unknown[] = [];
  const heard: string[] = [];
  const subscriptions = new Subscriptions((error) => faults.push(error));
  const fault = new Error('an unexpected payload');
  const fail = (): never => {
    throw fault;
  };
  subscriptions.add('news', { onMessage: fail, onGap: fail });
  subscriptions.add('news', {
    onMessage: (payload) => heard.push(payload),
    onGap: () => heard.push('a gap'),
  });
  expect(() => {
    subscriptions.deliver('news', 'one');
    subscriptions.notifyGap();
  }).not.toThrow();
  expect([heard, faults]).toEqual([
    ['one', 'a gap'],
    [fault, fault],
  ]);
});
