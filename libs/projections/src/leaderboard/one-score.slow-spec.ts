import { describe, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { expectConsistentScores } from '../testing/every-surface.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { chaoticHistory } from '../testing/chaotic-history.fixture.js';

const seed = historySeed();

describe(`a student’s score (NIMO_HISTORY_SEED=${seed})`, () => {
  it.each([0, 1, 2])(
    'is the same everywhere and matches an independent count, in long random history %i',
    async (index) => {
      await expectConsistentScores(randomHistory(seed + index, 2_000), 60);
    },
  );

  it.each([3, 4, 5])(
    'is the same with clock skew and overlapping commands, in stormy history %i',
    async (index) => {
      await expectConsistentScores(chaoticHistory(seed + index, 1_500), 60);
    },
  );
});
