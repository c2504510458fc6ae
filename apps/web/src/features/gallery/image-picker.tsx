import { CloseButton, FileButton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconPhotoPlus from '@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs';
import { type DragEvent, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './image-picker.module.css';
import { offeredImages } from './accept-pictures';
import { type ImagePick, MAX_IMAGES } from './use-image-picks';

interface ImagePickerProps {
  images: readonly ImagePick[];
  /** Number of images in the text, which count towards the limit. */
  countInText: number;
  onAdd: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
}

function isUploading({ location }: ImagePick): boolean {
  return location === undefined;
}

/** Adds images from files or a camera, and lists them with a remove button each. */
export function ImagePicker({ images, countInText, onAdd, onRemove }: ImagePickerProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { t: tImage } = useTranslation('richText', { keyPrefix: 'image' });
  const id = useId();
  const group = useRef<HTMLDivElement>(null);
  const removed = useRef<number>();
  useLayoutEffect(() => {
    if (removed.current === undefined) return;
    // The pressed button was removed with its image.
    const buttons = group.current?.querySelectorAll<HTMLElement>('li button') ?? [];
    const next = buttons[Math.min(removed.current, buttons.length - 1)];
    (next ?? group.current?.querySelector('button'))?.focus();
    removed.current = undefined;
  }, [images]);
  const remove = (index: number, image: ImagePick) => {
    removed.current = index;
    onRemove(image.id);
  };
  return (
    <div ref={group} role="group" aria-labelledby={id}>
      <div className={classes.label}>
        <span id={id}>{t('images')}</span>
        <span className={classes.count}>
          {t('imageCount', { count: images.length + countInText, max: MAX_IMAGES })}
        </span>
      </div>
      <div className={classes.zone}>
        <IconPhotoPlus size={20} stroke={1.5} aria-hidden />
        <span>
          <span className={classes.hint}>{t('imagesHint')} </span>
          <FileButton multiple accept={offeredImages} onChange={onAdd}>
            {(props) => (
              <UnstyledButton {...props} className={classes.choose}>
                {t('chooseImages')}
              </UnstyledButton>
            )}
          </FileButton>
          <span className={classes.camera}>
            {' · '}
            <FileButton
              accept="image/jpeg,image/png"
              capture="environment"
              onChange={(file) => file && onAdd([file])}
            >
              {(props) => (
                <UnstyledButton {...props} className={classes.choose}>
                  {t('takePhoto')}
                </UnstyledButton>
              )}
            </FileButton>
          </span>
        </span>
      </div>
      {images.length > 0 && (
        <ul className={classes.images}>
          {images.map((image, index) => (
            <li key={image.id} className={classes.image} data-uploading={isUploading(image) || undefined}>
              {isUploading(image) && (
                <VisuallyHidden role="status">{tImage('uploading', { number: index + 1 })}</VisuallyHidden>
              )}
              <img src={image.previewUrl} alt={t('imageAlt', { number: index + 1 })} />
              <CloseButton
                className={classes.remove}
                size="sm"
                radius="xl"
                aria-label={t('removeImage', { number: index + 1 })}
                onClick={() => remove(index, image)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const hasFiles = (transfer: DataTransfer | null): boolean =>
  transfer !== null && (transfer.types.includes('Files') || transfer.files.length > 0);

/** Prevents the browser from opening a file that misses the drop zone, which would lose the page and its draft. */
function preventOpening(event: globalThis.DragEvent): void {
  if (hasFiles(event.dataTransfer)) event.preventDefault();
}

/** Accepts files dropped on an element, and ignores those dropped elsewhere on the page. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    window.addEventListener('dragover', preventOpening);
    window.addEventListener('drop', preventOpening);
    return () => {
      window.removeEventListener('dragover', preventOpening);
      window.removeEventListener('drop', preventOpening);
    };
  }, []);
  const onDragOver = useCallback((event: DragEvent) => {
    if (!hasFiles(event.dataTransfer)) return;
    event.preventDefault();
    setIsOver(true);
  }, []);
  const onDragLeave = useCallback((event: DragEvent) => {
    const { currentTarget, relatedTarget } = event;
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
  }, []);
  const onDrop = useCallback(
    (event: DragEvent) => {
      setIsOver(false);
      // Already handled by the editor.
      if (!hasFiles(event.dataTransfer) || event.isDefaultPrevented()) return;
      event.preventDefault();
      onFiles([...event.dataTransfer.files]);
    },
    [onFiles],
  );
  return { isOver, handlers: { onDragOver, onDragLeave, onDrop } };
}
