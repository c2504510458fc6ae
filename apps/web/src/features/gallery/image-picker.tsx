import { CloseButton, FileButton, UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconPhotoPlus from '@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs';
import { useId, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptedImages } from '../../lib/upload';
import classes from './image-picker.module.css';
import { MAX_IMAGES, type ImagePick } from './use-image-picks';

interface ImagePickerProps {
  images: readonly ImagePick[];
  onAdd: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
}

function isUploading({ location }: ImagePick): boolean {
  return location === undefined;
}

/** Takes images by choice and by drop, and shows them with a way to remove each. */
export function ImagePicker({ images, onAdd, onRemove }: ImagePickerProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { t: tImage } = useTranslation('richText', { keyPrefix: 'image' });
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onAdd([...event.dataTransfer.files]);
  };
  return (
    <div role="group" aria-labelledby={id}>
      <div className={classes.label}>
        <span id={id}>{t('images')}</span>
        <span className={classes.count}>{t('imageCount', { count: images.length, max: MAX_IMAGES })}</span>
      </div>
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={handleDrop}
      >
        <IconPhotoPlus size={20} stroke={1.5} aria-hidden />
        <span>
          {t('imagesHint')}{' '}
          <FileButton multiple accept={acceptedImages.join(',')} onChange={onAdd}>
            {(props) => (
              <UnstyledButton {...props} className={classes.choose}>
                {t('chooseImages')}
              </UnstyledButton>
            )}
          </FileButton>
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
                onClick={() => onRemove(image.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
