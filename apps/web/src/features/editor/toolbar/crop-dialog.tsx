import { Alert, Button, Group, Modal } from '@mantine/core';
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs';
import IconRotateClockwise from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise.mjs';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './crop-dialog.module.css';

/** Part of an image to keep, as fractions of its width and height from the top left. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type FrameCorner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight';

export const FULL_FRAME: Frame = { left: 0, top: 0, right: 1, bottom: 1 };
/** Distance per press of an arrow key. */
const STEP = 0.02;
/** Minimum width and height of the frame. */
const MIN_SHARE = 0.05;
const JPEG_QUALITY = 0.92;

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** Moves a corner, or the whole frame. The frame stays inside the image and keeps its minimum size. */
export function changedFrame(
  frame: Frame,
  corner: FrameCorner | 'all',
  [x, y]: readonly [number, number],
): Frame {
  const { left, top, right, bottom } = frame;
  if (corner === 'all') {
    const [byX, byY] = [clamp(x, -left, 1 - right), clamp(y, -top, 1 - bottom)];
    return { left: left + byX, top: top + byY, right: right + byX, bottom: bottom + byY };
  }
  return {
    left: /left/i.test(corner) ? clamp(left + x, 0, right - MIN_SHARE) : left,
    right: /right/i.test(corner) ? clamp(right + x, left + MIN_SHARE, 1) : right,
    top: /top/i.test(corner) ? clamp(top + y, 0, bottom - MIN_SHARE) : top,
    bottom: /bottom/i.test(corner) ? clamp(bottom + y, top + MIN_SHARE, 1) : bottom,
  };
}

/** Draws an image rotated clockwise by quarter turns. */
function drawRotated(picture: ImageBitmap, quarters: number, canvas: HTMLCanvasElement): void {
  const isSideways = quarters % 2 === 1;
  canvas.width = isSideways ? picture.height : picture.width;
  canvas.height = isSideways ? picture.width : picture.height;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.drawImage(picture, -picture.width / 2, -picture.height / 2);
}

/** Rotates and crops an image to a file. */
async function croppedFile(picture: ImageBitmap, quarters: number, frame: Frame): Promise<File> {
  const whole = document.createElement('canvas');
  drawRotated(picture, quarters, whole);
  const cut = document.createElement('canvas');
  cut.width = Math.max(1, Math.round((frame.right - frame.left) * whole.width));
  cut.height = Math.max(1, Math.round((frame.bottom - frame.top) * whole.height));
  cut
    .getContext('2d')
    ?.drawImage(whole, -Math.round(frame.left * whole.width), -Math.round(frame.top * whole.height));
  const blob = await new Promise<Blob | null>((done) => cut.toBlob(done, 'image/webp', JPEG_QUALITY));
  if (!blob) throw new Error('The image could not be encoded');
  const [, kind = 'png'] = blob.type.split('/');
  return new File([blob], `picture.${kind}`, { type: blob.type });
}

interface CropDialogProps {
  /** The chosen file, or the URL of a stored image. */
  source: Blob | string;
  /** @param file the edited image; undefined if unchanged */
  onClose: (file?: File) => void;
}

const corners = [
  'topLeft',
  'topRight',
  'bottomLeft',
  'bottomRight',
] as const satisfies readonly FrameCorner[];

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Returns files directly: the CSP does not allow fetching `blob:` URLs. */
const readBlob = async (source: Blob | string): Promise<Blob> =>
  source instanceof Blob ? source : (await fetch(source)).blob();

/** The decoded image, upright; `broken` if it cannot be decoded. */
function usePicture(source: Blob | string) {
  const [picture, setPicture] = useState<ImageBitmap | 'broken'>();
  useEffect(() => {
    let isCurrent = true;
    readBlob(source)
      .then((blob) => createImageBitmap(blob))
      .then(
        (read) => isCurrent && setPicture(read),
        () => isCurrent && setPicture('broken'),
      );
    return () => {
      isCurrent = false;
    };
  }, [source]);
  return picture;
}

/** Rotates and crops an image. The corners of the frame are dragged, or moved with the arrow keys. */
export default function CropDialog({ source, onClose }: CropDialogProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const picture = usePicture(source);
  const [quarters, setQuarters] = useState(0);
  const [frame, setFrame] = useState<Frame>(FULL_FRAME);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (picture instanceof ImageBitmap && canvas.current) drawRotated(picture, quarters, canvas.current);
  }, [picture, quarters]);
  const turn = (by: 1 | 3) => {
    setQuarters((quarters + by) % 4);
    setFrame(FULL_FRAME);
  };
  const isChanged = quarters !== 0 || frame !== FULL_FRAME;
  const apply = async () => {
    if (!(picture instanceof ImageBitmap) || !isChanged) onClose();
    else onClose(await croppedFile(picture, quarters, frame));
  };
  return (
    <Modal opened onClose={() => onClose()} title={t('crop')} size="auto">
      {picture === 'broken' ? (
        <Alert color="red">{t('cropFailed')}</Alert>
      ) : (
        <>
          <Group mb="sm" gap="xs">
            <Button
              variant="default"
              leftSection={<IconRotate size={18} aria-hidden />}
              onClick={() => turn(3)}
            >
              {t('rotateLeft')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRotateClockwise size={18} aria-hidden />}
              onClick={() => turn(1)}
            >
              {t('rotateRight')}
            </Button>
          </Group>
          <div className={classes.stage}>
            <canvas ref={canvas} className={classes.canvas} role="img" aria-label={t('cropPicture')} />
            <CropFrame frame={frame} onChange={setFrame} />
          </div>
          <p className={classes.hint}>{t('cropHint')}</p>
        </>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => onClose()}>
          {t('cropCancel')}
        </Button>
        <Button disabled={!(picture instanceof ImageBitmap)} onClick={() => void apply()}>
          {t('apply')}
        </Button>
      </Group>
    </Modal>
  );
}

const inPercent = (share: number): string => `${share * 100}%`;

function CropFrame({ frame, onChange }: { frame: Frame; onChange: (frame: Frame) => void }) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const box = useRef<HTMLDivElement>(null);
  const last = useRef<{ x: number; y: number }>(undefined);
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY };
  };
  const onPointerMove = (corner: FrameCorner | 'all', event: PointerEvent) => {
    const stage = box.current?.parentElement?.getBoundingClientRect();
    if (!last.current || !stage) return;
    const by = [
      (event.clientX - last.current.x) / stage.width,
      (event.clientY - last.current.y) / stage.height,
    ] as const;
    last.current = { x: event.clientX, y: event.clientY };
    onChange(changedFrame(frame, corner, by));
  };
  const onPointerUp = () => (last.current = undefined);
  const onKeyDown = (corner: FrameCorner, event: KeyboardEvent) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    onChange(changedFrame(frame, corner, by));
  };
  const pointer = (corner: FrameCorner | 'all') => ({
    onPointerDown,
    onPointerMove: (event: PointerEvent) => onPointerMove(corner, event),
    onPointerUp,
    onPointerCancel: onPointerUp,
  });
  const { left, top, right, bottom } = frame;
  const place = {
    left: inPercent(left),
    top: inPercent(top),
    right: inPercent(1 - right),
    bottom: inPercent(1 - bottom),
  };
  return (
    <div ref={box} className={classes.frame} style={place}>
      <div className={classes.inside} {...pointer('all')} />
      {corners.map((corner) => (
        <button
          key={corner}
          type="button"
          className={`${classes.corner} ${classes[corner]}`}
          aria-label={t(`corners.${corner}`)}
          {...pointer(corner)}
          onKeyDown={(event) => onKeyDown(corner, event)}
        />
      ))}
    </div>
  );
}
