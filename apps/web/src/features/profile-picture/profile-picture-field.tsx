import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import IconPhotoUp from '@tabler/icons-react/dist/esm/icons/IconPhotoUp.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import IconUserHexagon from '@tabler/icons-react/dist/esm/icons/IconUserHexagon.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptedImages } from '../../lib/upload';
import { AvatarPicker } from './avatar-picker';
import type { ProfilePicture } from './profile-picture';
import classes from './profile-picture-field.module.css';

interface ProfilePictureFieldProps {
  value: ProfilePicture;
  onChange: (picture: ProfilePicture) => void;
}

function usePreview(picture: ProfilePicture): string | undefined {
  const file = picture.kind === 'file' ? picture.file : undefined;
  const [fileUrl, setFileUrl] = useState<string>();
  useEffect(() => {
    if (!file) return undefined;
    const url = URL.createObjectURL(file);
    setFileUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return picture.kind === 'stored' ? picture.url : file && fileUrl;
}

/** The profile's picture: an image of one's own, or one of the drawn avatars. */
export function ProfilePictureField({ value, onChange }: ProfilePictureFieldProps) {
  const { t } = useTranslation('profile');
  const [isPicking, setPicking] = useState(false);
  const preview = usePreview(value);
  return (
    <div className={classes.field}>
      <span className={classes.preview}>
        {preview === undefined ? (
          <IconUser size={40} stroke={1.25} aria-hidden />
        ) : (
          <img src={preview} alt="" />
        )}
      </span>
      <Stack gap={6} className={classes.choices}>
        <Group gap="xs">
          <FileButton
            accept={acceptedImages.join(',')}
            onChange={(file) => file && onChange({ kind: 'file', file })}
          >
            {(button) => (
              <Button
                {...button}
                variant="default"
                size="sm"
                leftSection={<IconPhotoUp size={18} stroke={1.75} />}
              >
                {t('picture.selectImage')}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconUserHexagon size={18} stroke={1.75} />}
            onClick={() => setPicking(true)}
          >
            {t('picture.selectAvatar')}
          </Button>
        </Group>
        <Text size="xs" c="dimmed">
          {t('picture.hint')}
        </Text>
      </Stack>
      <AvatarPicker
        opened={isPicking}
        onClose={() => setPicking(false)}
        onSelect={(url) => {
          onChange({ kind: 'stored', url });
          setPicking(false);
        }}
      />
    </div>
  );
}
