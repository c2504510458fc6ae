import { Button, FileButton, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import IconPhotoUp from '@tabler/icons-react/dist/esm/icons/IconPhotoUp.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import IconUserHexagon from '@tabler/icons-react/dist/esm/icons/IconUserHexagon.mjs';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/notices';
import type { AvatarsQuery } from '../../generated/graphql';
import { postGraphql } from '../../lib/api/graphql-fetch';
import { useSkeletonCount } from '../../lib/browser/loading';
import { acceptedImages, uploadImage } from '../../lib/api/files';
import { useFocusReturn } from '../../lib/browser/focus';
import avatarsQuery from './avatars.graphql?call';
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

/** Picks a profile picture: an uploaded image or an avatar. */
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

type AvatarGroup = AvatarsQuery['getAvatars'][number];

interface AvatarPickerProps {
  opened: boolean;
  onClose: () => void;
  onSelect: (url: string) => void;
}

// Without Apollo, which is not loaded during sign-up.
function useAvatars(isEnabled: boolean) {
  const [groups, setGroups] = useState<AvatarGroup[]>();
  const [error, setError] = useState<unknown>();
  const load = useCallback(() => {
    setError(undefined);
    postGraphql<AvatarsQuery, object>(avatarsQuery, {}).then(
      ({ getAvatars }) => setGroups(getAvatars),
      setError,
    );
  }, []);
  useEffect(() => {
    if (isEnabled) load();
  }, [isEnabled, load]);
  return { groups, error, load };
}

/** Avatars by category. On top of another modal, wrap both in a `Modal.Stack`, so that Escape closes only this one. */
function AvatarPicker({ opened, onClose, onSelect }: AvatarPickerProps) {
  const { t } = useTranslation('profile');
  const { groups, error, load } = useAvatars(opened);
  useFocusReturn(opened);
  const [chosen, setChosen] = useState<string>();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      stackId="avatars"
      fullScreen
      radius={0}
      title={t('avatars.title')}
    >
      <div className={classes.content}>
        {error !== undefined && <ErrorNotice error={error} onRetry={load} />}
        {!groups && error === undefined && <AvatarSkeleton />}
        {groups?.map((group) => (
          <AvatarGroupField key={group.category} group={group} chosen={chosen} onChoose={setChosen} />
        ))}
      </div>
      <div className={classes.footer}>
        <Button
          miw={240}
          disabled={chosen === undefined}
          onClick={() => chosen !== undefined && onSelect(chosen)}
        >
          {t('avatars.select')}
        </Button>
      </div>
    </Modal>
  );
}

interface AvatarGroupFieldProps {
  group: AvatarGroup;
  chosen: string | undefined;
  onChoose: (url: string) => void;
}

// The API may add categories that are not translated yet.
const named = ['animals', 'people', 'space'] as const;

function AvatarGroupField({ group, chosen, onChoose }: AvatarGroupFieldProps) {
  const { t } = useTranslation('profile');
  const name = named.find((known) => known === group.category);
  const category = name ? t(`avatars.categories.${name}`) : group.category;
  return (
    <fieldset className={classes.group}>
      <legend className={classes.category}>{category}</legend>
      <div className={classes.grid}>
        {group.urls.map((url, index) => (
          <label key={url} className={classes.option}>
            <input
              type="radio"
              name="avatar"
              className={classes.radio}
              checked={url === chosen}
              onChange={() => onChoose(url)}
              aria-label={t('avatars.avatar', { category, number: index + 1 })}
            />
            <img className={classes.picture} src={url} alt="" loading="lazy" width={80} height={80} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function AvatarSkeleton() {
  useSkeletonCount();
  return (
    <div className={classes.grid} aria-hidden>
      {Array.from({ length: 16 }, (_, index) => (
        <Skeleton key={index} height={104} radius="lg" />
      ))}
    </div>
  );
}

/** A picked picture: a stored URL, or a file to upload. */
export type ProfilePicture =
  | { kind: 'none' }
  | { kind: 'stored'; url: string }
  | { kind: 'file'; file: File };

export function pictureOf(url: string | null | undefined): ProfilePicture {
  return url ? { kind: 'stored', url } : { kind: 'none' };
}

/** Uploads the picture if it is a file, and returns its URL. */
export async function storePicture(picture: ProfilePicture, grant?: string): Promise<string | null> {
  switch (picture.kind) {
    case 'none':
      return null;
    case 'stored':
      return picture.url;
    case 'file':
      return uploadImage(picture.file, grant);
  }
}
