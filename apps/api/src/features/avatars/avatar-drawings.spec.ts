import { expect, it } from '@jest/globals';
import { BUILT_IN_AVATARS } from '@nimo/domain';
import { drawingAt } from './avatar-drawings.js';

it.each(BUILT_IN_AVATARS.map(({ imageUrl }) => imageUrl))('draws %s', (url) => {
  expect(drawingAt(url)).toMatch(/^<svg /);
});
