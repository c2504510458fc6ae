import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { saving } from '../../components/dialogs';
import { toast } from '../../components/toast';
import { UpdateProfileDocument, type EditableProfileFragment } from '../../generated/graphql';
import { updateAuthUser } from '../../lib/auth-storage';
import { errorText } from '../../lib/api/errors';
import { useFocusReturn } from '../../lib/browser/focus';
import { isUserNameTaken } from '../credentials/account-calls';
import { isValidUserName } from '../credentials/account-fields';
import { pictureOf, ProfilePictureField, storePicture } from '../profile-picture/profile-picture-field';

interface EditProfileModalProps {
  profile: EditableProfileFragment;
  opened: boolean;
  onClose: () => void;
}

/** Edits the student's own picture, names and bio. */
export function EditProfileModal({ profile, opened, onClose }: EditProfileModalProps) {
  const { t } = useTranslation('profile');
  useFocusReturn(opened);
  return (
    <Modal.Stack>
      <Modal opened={opened} onClose={onClose} stackId="profile" title={t('edit.title')} size="lg">
        <EditProfileForm profile={profile} onSaved={onClose} />
      </Modal>
    </Modal.Stack>
  );
}

function useProfileSchema() {
  const { t } = useTranslation('profile');
  return z.object({
    userName: z
      .string()
      .check(
        z.minLength(1, { error: t('edit.userNameRequired'), abort: true }),
        z.refine(isValidUserName, t('edit.userNameInvalid')),
      ),
    firstName: z.string(),
    lastName: z.string(),
    profileDesc: z.string(),
  });
}

type ProfileValues = z.infer<ReturnType<typeof useProfileSchema>>;

/** Saves the profile and updates the session and cache. */
function useSaveProfile(id: string) {
  const [updateProfile] = useMutation(UpdateProfileDocument, {
    update: (cache, { data }) => {
      if (!data) return;
      const { userName, firstName, lastName, profileDesc, realProfilePicUrl } = data.updateStudent;
      const asOthersSeeIt = {
        userName: userName ?? '',
        firstName: firstName ?? '',
        lastName: lastName ?? '',
        profileDesc: profileDesc ?? '',
        realProfilePicUrl: realProfilePicUrl ?? null,
      };
      updateAuthUser(asOthersSeeIt);
      cache.modify({
        id: cache.identify({ __typename: 'Author', _id: id }) ?? '',
        fields: Object.fromEntries(
          Object.entries(asOthersSeeIt).map(([field, value]) => [field, () => value]),
        ),
      });
    },
  });
  return (values: ProfileValues, realProfilePicUrl: string | null) =>
    updateProfile({ variables: { id, ...values, realProfilePicUrl } });
}

function EditProfileForm({ profile, onSaved }: { profile: EditableProfileFragment; onSaved: () => void }) {
  const { t } = useTranslation('profile');
  const [picture, setPicture] = useState(() => pictureOf(profile.realProfilePicUrl));
  const save = useSaveProfile(profile._id);
  const { register, handleSubmit, setError, formState } = useForm<ProfileValues>({
    resolver: zodResolver(useProfileSchema()),
    defaultValues: {
      userName: profile.userName ?? '',
      firstName: profile.firstName ?? '',
      lastName: profile.lastName ?? '',
      profileDesc: profile.profileDesc ?? '',
    },
  });

  const send = async (values: ProfileValues) => {
    const isRenamed = values.userName.toLowerCase() !== profile.userName?.toLowerCase();
    if (isRenamed && (await isUserNameTaken(values.userName))) {
      setError('userName', { message: t('edit.userNameTaken') }, { shouldFocus: true });
      return;
    }
    await save(values, await storePicture(picture));
    toast.success(t('edit.success'));
    onSaved();
  };
  const submit = handleSubmit((values) =>
    saving(() => send(values), setError, ['userName']).catch(
      (error: unknown) => void toast.error(errorText(error)),
    ),
  );

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <ProfilePictureField value={picture} onChange={setPicture} />
        <TextInput
          label={t('edit.userName')}
          withAsterisk
          error={formState.errors.userName?.message}
          {...register('userName')}
        />
        <Group grow align="flex-start">
          <TextInput label={t('edit.firstName')} {...register('firstName')} />
          <TextInput label={t('edit.lastName')} {...register('lastName')} />
        </Group>
        <Textarea label={t('edit.about')} autosize minRows={3} maxRows={8} {...register('profileDesc')} />
        <Group justify="flex-end">
          <Button type="submit" loading={formState.isSubmitting}>
            {t('edit.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
