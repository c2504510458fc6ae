import { describe, expect, it } from '@jest/globals';
import { pictureSize, thumbnailSize } from './image-rules.js';

describe('a stored picture', () => {
  it.each([
    ['a screenshot of a chat', [1000, 12_000], [1000, 12_000], [120, 1440]],
    ['a screenshot of a phone', [1170, 2532], [1170, 2532], [283, 612]],
    ['a panorama', [12_000, 2500], [8764, 1826], [911, 190]],
    ['a line', [20_000, 3], [16_383, 2], [16_383, 2]],
    ['a photo', [4000, 3000], [2667, 2000], [480, 360]],
    ['a square', [2500, 2500], [2000, 2000], [416, 416]],
    ['an icon', [16, 24], [16, 24], [16, 24]],
    ['a pixel in width', [50_000_000, 1], [16_383, 1], [16_383, 1]],
  ] as const)('keeps a legible size for %s', (_shape, [width, height], stored, thumbnail) => {
    const picture = pictureSize({ width, height });
    expect([picture.width, picture.height]).toEqual(stored);
    const small = thumbnailSize(picture);
    expect([small.width, small.height]).toEqual(thumbnail);
  });
});
