/** What is kept of a picture, in shares of its width and height from its upper left corner. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type FrameCorner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';

export const FULL_FRAME: Frame = { left: 0, top: 0, right: 1, bottom: 1 };
/** Of one press of an arrow key. */
export const STEP = 0.02;
/** Less of a picture than this is a slip of the hand. */
const MIN_SHARE = 0.05;
const JPEG_QUALITY = 0.92;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** The frame after one of its corners, or all of it, was moved by so much. It stays on the picture, and something stays in it. */
export function changedFrame(
  frame: Frame,
  corner: FrameCorner | 'all',
  [x, y]: readonly [number, number],
): Frame {
  const { left, top, right, bottom } = frame;
  if (corner === 'all') {
    const [byX, byY] = [within(x, -left, 1 - right), within(y, -top, 1 - bottom)];
    return { left: left + byX, top: top + byY, right: right + byX, bottom: bottom + byY };
  }
  return {
    left: /left/i.test(corner) ? within(left + x, 0, right - MIN_SHARE) : left,
    right: /right/i.test(corner) ? within(right + x, left + MIN_SHARE, 1) : right,
    top: /top/i.test(corner) ? within(top + y, 0, bottom - MIN_SHARE) : top,
    bottom: /bottom/i.test(corner) ? within(bottom + y, top + MIN_SHARE, 1) : bottom,
  };
}

/** Draws a picture turned by so many quarters, clockwise. */
export function turned(picture: ImageBitmap, quarters: number, canvas: HTMLCanvasElement): void {
  const isSideways = quarters % 2 === 1;
  canvas.width = isSideways ? picture.height : picture.width;
  canvas.height = isSideways ? picture.width : picture.height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
}

/** What is in the frame of the turned picture, as a file to send. */
export async function drawn(picture: ImageBitmap, quarters: number, frame: Frame): Promise<File> {
  const whole = document.createElement('canvas');
  turned(picture, quarters, whole);
  const cut = document.createElement('canvas');
  cut.width = Math.max(1, Math.round((frame.right - frame.left) * whole.width));
  cut.height = Math.max(1, Math.round((frame.bottom - frame.top) * whole.height));
  cut
    .getContext('2d')
    ?.drawImage(whole, -Math.round(frame.left * whole.width), -Math.round(frame.top * whole.height));
  const blob = await new Promise<Blob | null>((done) => cut.toBlob(done, 'image/webp', JPEG_QUALITY));
  if (!blob) throw new Error('The picture cannot be drawn');
  const [, kind = 'png'] = blob.type.split('/');
  return new File([blob], `picture.${kind}`, { type: blob.type });
}
