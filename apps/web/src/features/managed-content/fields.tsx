import { Button, ColorInput, FileButton, Group, Input } from '@mantine/core';
import IconPhotoUp from '@tabler/icons-react/dist/esm/icons/IconPhotoUp.mjs';
import { useTranslation } from 'react-i18next';
import { acceptedImages, uploadImage } from '../../lib/api/files';
import { usePending } from '../../lib/api/errors';
import classes from './managed.module.css';

interface PictureFieldProps {
  label: string;
  value: string | null;
  error?: string | undefined;
  /** Whether the picture is optional. */
  isOptional?: boolean;
  onChange: (url: string | null) => void;
}

/** Uploads a picture as soon as it is chosen. The API validates and re-encodes it. */
export function PictureField({ label, value, error, isOptional = false, onChange }: PictureFieldProps) {
  const { t } = useTranslation('content');
  const { isPending, error: failure, run } = usePending();
  const choose = (file: File | null) => {
    if (file) void run(async () => onChange(await uploadImage(file)));
  };
  return (
    <Input.Wrapper label={label} labelElement="div" withAsterisk={!isOptional} error={failure ?? error}>
      {value !== null && value !== '' && <img className={classes.preview} src={value} alt="" />}
      <Group gap="xs" my={6}>
        <FileButton accept={acceptedImages.join(',')} onChange={choose}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              size="sm"
              loading={isPending}
              leftSection={<IconPhotoUp size={18} stroke={1.75} aria-hidden />}
            >
              {t('choosePicture')}
            </Button>
          )}
        </FileButton>
        {isOptional && value !== null && (
          <Button variant="subtle" size="sm" onClick={() => onChange(null)}>
            {t('removePicture')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}

interface HexFieldProps {
  /** Hex without #. */
  value: string;
  error?: string | undefined;
  onChange: (hex: string) => void;
}

const swatches = ['#2563eb', '#0f766e', '#2f8f5b', '#ca8a04', '#c2410c', '#be123c', '#7c3aed', '#475569'];

/** A colour in the stored format: hex without #. */
export function HexField({ value, error, onChange }: HexFieldProps) {
  const { t } = useTranslation('content');
  return (
    <ColorInput
      label={t('color')}
      withAsterisk
      format="hex"
      swatches={swatches}
      value={`#${value}`}
      error={error}
      eyeDropperButtonProps={{ 'aria-label': t('pickColor') }}
      onChange={(next) => onChange(next.replace(/^#/, '').toLowerCase())}
    />
  );
}
