import { describe, expect, it } from '@jest/globals';
import {
  isChanged,
  lightboxAt,
  lightboxReducer,
  type LightboxAction,
  type LightboxState,
} from './lightbox-reducer';

const after = (state: LightboxState, ...actions: LightboxAction[]) => actions.reduce(lightboxReducer, state);
const times = (count: number, action: LightboxAction) => Array.from({ length: count }, () => action);

describe('lightbox', () => {
  it('zooms by 0.3', () => {
    expect(after(lightboxAt(0), { type: 'zoomIn' }).zoom).toBe(1.3);
    expect(after(lightboxAt(0), { type: 'zoomOut' }).zoom).toBe(0.7);
  });

  it('returns to exactly 1', () => {
    const state = after(lightboxAt(0), ...times(7, { type: 'zoomIn' }), ...times(7, { type: 'zoomOut' }));
    expect(state.zoom).toBe(1);
    expect(isChanged(state)).toBe(false);
  });

  it('limits the zoom', () => {
    expect(after(lightboxAt(0), ...times(99, { type: 'zoomOut' })).zoom).toBeGreaterThan(0);
    expect(after(lightboxAt(0), ...times(99, { type: 'zoomIn' })).zoom).toBe(8);
  });

  it('toggles between 4× and 1× on double click', () => {
    const near = after(lightboxAt(0), { type: 'toggleZoom' });
    expect(near.zoom).toBe(4);
    expect(after(near, { type: 'toggleZoom' }).zoom).toBe(1);
  });

  it('rotates by 90 degrees, and treats a full turn as no change', () => {
    expect(after(lightboxAt(0), { type: 'rotate' }).rotation).toBe(90);
    expect(isChanged(after(lightboxAt(0), ...times(4, { type: 'rotate' })))).toBe(false);
  });

  it('wraps around at both ends', () => {
    expect(after(lightboxAt(2), { type: 'go', step: 1, count: 3 }).index).toBe(0);
    expect(after(lightboxAt(0), { type: 'go', step: -1, count: 3 }).index).toBe(2);
    expect(after(lightboxAt(0), { type: 'go', step: 1, count: 1 }).index).toBe(0);
  });

  it('resets zoom, rotation and position for another image', () => {
    const state = after(
      lightboxAt(0),
      { type: 'zoomIn' },
      { type: 'rotate' },
      { type: 'pan', x: 20, y: -20 },
      { type: 'go', step: 1, count: 3 },
    );
    expect(state).toEqual(lightboxAt(1));
  });

  it('resets everything but the image', () => {
    expect(after(lightboxAt(2), { type: 'zoomIn' }, { type: 'pan', x: 20, y: 0 }, { type: 'reset' })).toEqual(
      lightboxAt(2),
    );
  });

  it('adds up pans', () => {
    expect(after(lightboxAt(0), { type: 'pan', x: 20, y: 0 }, { type: 'pan', x: 20, y: -20 })).toMatchObject({
      x: 40,
      y: -20,
    });
  });
});
