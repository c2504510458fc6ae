import { expect, it } from '@jest/globals';
import { timings } from './timings';

it('match the specification', () => {
  expect(timings).toMatchObject({
    loginRedirect: 500,
    successMessage: 3000,
    galleryClose: 400,
    previewDebounce: 1000,
    gaugeRefresh: 2000,
  });
});

it('keep the values that screen specs replace', () => {
  expect(timings).toMatchObject({ errorMessage: 6000, undo: 10_000, otpVerify: 800, shortcutSequence: 1500 });
});
