import { describe, expect, it } from '@jest/globals';
import { changedFrame, type Frame, FULL_FRAME } from './crop-dialog';

const half: Frame = { left: 0.25, top: 0.25, right: 0.75, bottom: 0.75 };

describe('the crop frame', () => {
  it.each([
    ['topLeft', [0.125, 0.25], { ...half, left: 0.375, top: 0.5 }],
    ['bottomRight', [-0.125, 0.125], { ...half, right: 0.625, bottom: 0.875 }],
    ['topRight', [0.125, -0.125], { ...half, right: 0.875, top: 0.125 }],
    ['bottomLeft', [-0.25, 0], { ...half, left: 0 }],
    ['all', [0.25, -0.125], { left: 0.5, top: 0.125, right: 1, bottom: 0.625 }],
  ] as const)('moves by %s', (corner, by, becomes) => {
    expect(changedFrame(half, corner, by)).toEqual(becomes);
  });

  it('stays inside the image', () => {
    expect(changedFrame(FULL_FRAME, 'topLeft', [-1, -1])).toEqual(FULL_FRAME);
    expect(changedFrame(half, 'all', [1, 1])).toEqual({ left: 0.5, top: 0.5, right: 1, bottom: 1 });
  });

  it('keeps a minimum size', () => {
    const { left, top } = changedFrame(half, 'topLeft', [1, 1]);
    expect([left, top]).toEqual([0.7, 0.7]);
  });
});
