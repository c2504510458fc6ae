import { afterEach, expect, it } from '@jest/globals';
import { scrollMotion } from './device';

const { matchMedia } = globalThis;

afterEach(() => void (globalThis.matchMedia = matchMedia));

it.each([
  [true, 'auto'],
  [false, 'smooth'],
])('asked to keep still: %s, things are scrolled to by %s', (matches, motion) => {
  globalThis.matchMedia = (query) => Object.assign(matchMedia(query), { matches });
  expect(scrollMotion()).toBe(motion);
});
