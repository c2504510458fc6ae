export interface LightboxState {
  index: number;
  zoom: number;
  /** In degrees, only growing, so that the transition always turns the same way. */
  rotation: number;
  x: number;
  y: number;
}

export type LightboxAction =
  | { type: 'zoomIn' }
  | { type: 'zoomOut' }
  | { type: 'toggleZoom' }
  | { type: 'rotate' }
  | { type: 'reset' }
  | { type: 'go'; step: 1 | -1; count: number }
  | { type: 'pan'; x: number; y: number };

const ZOOM_STEP = 0.3;
const DOUBLE_CLICK_ZOOM = 4;
export const PAN_STEP = 20;
const ROTATION_STEP = 90;
const MIN_ZOOM = 0.4;
const MAX_ZOOM = 8;

export function lightboxAt(index: number): LightboxState {
  return { index, zoom: 1, rotation: 0, x: 0, y: 0 };
}

/** Whether a reset would change anything. */
export function isChanged({ zoom, rotation, x, y }: LightboxState): boolean {
  return zoom !== 1 || rotation % 360 !== 0 || x !== 0 || y !== 0;
}

// Rounded to tenths: floating-point errors would add up.
function zoomedBy(zoom: number, step: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, Math.round((zoom + step) * 10) / 10));
}

export function lightboxReducer(state: LightboxState, action: LightboxAction): LightboxState {
  switch (action.type) {
    case 'zoomIn':
      return { ...state, zoom: zoomedBy(state.zoom, ZOOM_STEP) };
    case 'zoomOut':
      return { ...state, zoom: zoomedBy(state.zoom, -ZOOM_STEP) };
    case 'toggleZoom':
      return { ...state, zoom: state.zoom === 1 ? DOUBLE_CLICK_ZOOM : 1, x: 0, y: 0 };
    case 'rotate':
      return { ...state, rotation: state.rotation + ROTATION_STEP };
    case 'reset':
      return lightboxAt(state.index);
    case 'go':
      return lightboxAt((state.index + action.step + action.count) % action.count);
    case 'pan':
      return { ...state, x: state.x + action.x, y: state.y + action.y };
    default:
      return action satisfies never;
  }
}
