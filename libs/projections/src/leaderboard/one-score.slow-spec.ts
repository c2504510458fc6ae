import { describe, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { expectOneScore } from '../testing/every-surface.fixture.js';
import { randomPast } from '../testing/random-history.fixture.js';
import { stormyPast } from '../testing/stormy-history.fixture.js';

const seed = historySeed();

describe(`the score of a student (NIMO_HISTORY_SEED=${seed})`, () => {
  it.each([0, 1, 2])(
    'is on every surface what a count by hand gives, in long random history %i',
    async (index) => {
      await expectOneScore(randomPast(seed + index, 2_000), 60);
    },
  );

  it.each([3, 4, 5])(
    'is so where clocks differ and commands overlap, in stormy history %i',
    async (index) => {
      await expectOneScore(stormyPast(seed + index, 1_500), 60);
    },
  );
});
