import { expect, it } from '@jest/globals';
import { Subscriptions } from './messages.js';

it('lets a fault of one listener keep nothing from the others, nor reach whoever hands over', () => {
  const faults: unknown[] = [];
  const heard: string[] = [];
  const subscriptions = new Subscriptions((error) => faults.push(error));
  const fault = new Error('a payload that nobody expected');
  const fail = (): never => {
    throw fault;
  };
  subscriptions.add('news', { onMessage: fail, onGap: fail });
  subscriptions.add('news', {
    onMessage: (payload) => heard.push(payload),
    onGap: () => heard.push('a gap'),
  });
  expect(() => {
    subscriptions.hand('news', 'one');
    subscriptions.tellOfGap();
  }).not.toThrow();
  expect([heard, faults]).toEqual([
    ['one', 'a gap'],
    [fault, fault],
  ]);
});
