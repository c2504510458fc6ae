import { Alert, Button, Group, Modal } from '@mantine/core';
import IconRotate from '@tabler/icons-react/dist/esm/icons/IconRotate.mjs';
import IconRotateClockwise from '@tabler/icons-react/dist/esm/icons/IconRotateClockwise.mjs';
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './crop-dialog.module.css';
import { changedFrame, drawn, FULL_FRAME, STEP, turned, type Frame, type FrameCorner } from './crop-frame';

interface CropDialogProps {
  /** As it was chosen, or the address of one that is stored. */
  source: Blob | string;
  /** @param file what became of the picture; none where it stays */
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

/** A file is read as it is: the page's policy lets nothing be fetched from a `blob:` address. */
const readBlob = async (source: Blob | string): Promise<Blob> =>
  source instanceof Blob ? source : (await fetch(source)).blob();

/** The picture, read once and upright, or that it cannot be. */
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

/** Turns a picture and cuts it to a frame whose corners are dragged, or moved by the arrow keys. */
export default function CropDialog({ source, onClose }: CropDialogProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const picture = usePicture(source);
  const [quarters, setQuarters] = useState(0);
  const [frame, setFrame] = useState<Frame>(FULL_FRAME);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (picture instanceof ImageBitmap && canvas.current) turned(picture, quarters, canvas.current);
  }, [picture, quarters]);
  const turn = (by: 1 | 3) => {
    setQuarters((quarters + by) % 4);
    setFrame(FULL_FRAME);
  };
  const isChanged = quarters !== 0 || frame !== FULL_FRAME;
  const apply = async () => {
    if (!(picture instanceof ImageBitmap) || !isChanged) onClose();
    else onClose(await drawn(picture, quarters, frame));
  };
  return (
    <Modal opened onClose={() => onClose()} title={t('crop')} size="auto">
      {picture === 'broken' ? (
        <Alert color="red">{t('cropBroken')}</Alert>
      ) : (
        <>
          <Group mb="sm" gap="xs">
            <Button
              variant="default"
              leftSection={<IconRotate size={18} aria-hidden />}
              onClick={() => turn(3)}
            >
              {t('turnLeft')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconRotateClockwise size={18} aria-hidden />}
              onClick={() => turn(1)}
            >
              {t('turnRight')}
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
