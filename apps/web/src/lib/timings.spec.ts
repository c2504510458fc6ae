import { expect, it } from '@jest/globals';
import { timings } from './timings';

it('are those of the specification', () => {
  expect(timings).toMatchObject({
    loginRedirect: 500,
    successMessage: 3000,
    galleryClose: 400,
    previewDebounce: 1000,
    gaugeRefresh: 2000,
  });
});
