import { afterEach, expect, it } from '@jest/globals';
import { scrollMotion } from './device';

const { matchMedia } = globalThis;

afterEach(() => void (globalThis.matchMedia = matchMedia));

it.each([
  [true, 'auto'],
  [false, 'smooth'],
])('with reduced motion %s, scrolls with behaviour %s', (matches, motion) => {
  globalThis.matchMedia = (query) => Object.assign(matchMedia(query), { matches });
  expect(scrollMotion()).toBe(motion);
});
