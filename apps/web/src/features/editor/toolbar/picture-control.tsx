import { Button, FileButton, Group, TextInput } from '@mantine/core';
import type { ProsemirrorNode } from '@remirror/core';
import { useCommands, useEditorView } from '@remirror/react';
import IconPhotoPlus from '@tabler/icons-react/dist/esm/icons/IconPhotoPlus.mjs';
import { Suspense, useCallback, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingNotice } from '../../../components/loading-notice';
import { lazyPart } from '../../../lib/browser/loading';
import { offeredImages } from '../../gallery/accept-pictures';
import type { PictureUploads } from '../picture-uploads';
import classes from '../extensions/picture.module.css';
import type { RichTextExtension } from '../rich-text-extensions';
import { ToolbarPopover, useOpenOnNode, useSelectedNode } from './toolbar-popover';

const CropDialog = lazyPart(() => import('./crop-dialog'));

/** Same limit as in the API. */
const MAX_DESCRIPTION_LENGTH = 300;

const isPicture = ({ type }: ProsemirrorNode): boolean => type.name === 'picture';

function PictureChoice({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const { insertPictures } = useCommands<RichTextExtension>();
  const put = (files: File[]) => {
    onDone();
    insertPictures(files);
  };
  return (
    <>
      <p className={classes.hint}>{t('hint')}</p>
      <div className={classes.choices}>
        <FileButton multiple accept={offeredImages} onChange={put}>
          {(props) => (
            <Button {...props} size="xs" data-autofocus>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <FileButton
          accept="image/jpeg,image/png"
          capture="environment"
          onChange={(file) => file && put([file])}
        >
          {(props) => (
            <Button {...props} size="xs" variant="default" className={classes.camera}>
              {t('takePhoto')}
            </Button>
          )}
        </FileButton>
      </div>
    </>
  );
}

interface PictureFormProps {
  picture: ProsemirrorNode;
  onCrop: () => void;
  onDone: () => void;
}

function PictureForm({ picture, onCrop, onDone }: PictureFormProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const { describePicture, removePicture, leavePicture } = useCommands<RichTextExtension>();
  const [alt, setAlt] = useState(String(picture.attrs['alt'] ?? ''));
  const submit = (event: FormEvent) => {
    // The form is in a portal, but React events bubble to the composer's form.
    event.preventDefault();
    event.stopPropagation();
    describePicture(alt.trim());
    leavePicture();
    onDone();
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={t('description')}
        description={t('descriptionHint')}
        value={alt}
        maxLength={MAX_DESCRIPTION_LENGTH}
        onChange={(event) => setAlt(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" mt="sm" gap="xs">
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            removePicture();
            onDone();
          }}
        >
          {t('remove')}
        </Button>
        <Button variant="default" size="xs" onClick={onCrop}>
          {t('crop')}
        </Button>
        <Button type="submit" size="xs">
          {t('apply')}
        </Button>
      </Group>
    </form>
  );
}

/** Inserts images, or describes, crops or removes the selected one. */
export function PictureControl({ uploads }: { uploads: PictureUploads }) {
  const { t } = useTranslation('richText', { keyPrefix: 'image' });
  const { replacePicture } = useCommands<RichTextExtension>();
  const view = useEditorView();
  const [opened, setOpened] = useState(false);
  const [cropped, setCropped] = useState<Blob | string>();
  const selected = useSelectedNode(isPicture);
  useOpenOnNode(
    '[data-picture] img',
    isPicture,
    useCallback(() => setOpened(true), []),
  );
  const leaveCropping = (file?: File) => {
    setCropped(undefined);
    if (file) replacePicture(file);
    view.focus();
  };
  return (
    <>
      <ToolbarPopover
        label={t('control')}
        icon={<IconPhotoPlus size={18} stroke={1.75} aria-hidden />}
        opened={opened}
        onChange={setOpened}
        isPressed={selected !== undefined}
        width={340}
      >
        {(done) =>
          selected ? (
            <PictureForm
              picture={selected}
              onCrop={() => {
                setOpened(false);
                setCropped(
                  uploads.get(selected.attrs['upload'])?.file ?? String(selected.attrs['src'] ?? ''),
                );
              }}
              onDone={done}
            />
          ) : (
            <PictureChoice onDone={done} />
          )
        }
      </ToolbarPopover>
      {cropped !== undefined && (
        <Suspense fallback={<LoadingNotice />}>
          <CropDialog source={cropped} onClose={leaveCropping} />
        </Suspense>
      )}
    </>
  );
}
