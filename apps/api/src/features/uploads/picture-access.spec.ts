import { describe, expect, it } from '@jest/globals';
import { normalisedLocation } from './picture-access.js';

const key = '0f8fad5b-d9cb-469f-a165-70867728950e.webp';

describe('the location of a picture', () => {
  it.each([
    [key, `/media/${key}`],
    [`/media/${key}`, `/media/${key}`],
    [`/media/${key}?right=x`, `/media/${key}`],
    ['https://elsewhere.example/x.png', 'https://elsewhere.example/x.png'],
    ['../secret.webp', '../secret.webp'],
  ])('%s is %s', (given, location) => {
    expect(normalisedLocation(given)).toBe(location);
  });
});
