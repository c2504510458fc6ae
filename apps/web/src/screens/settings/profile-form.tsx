import { useMutation } from '@apollo/client/react';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { pictureOf, storePicture } from '../../features/profile-picture/profile-picture';
import { ProfilePictureField } from '../../features/profile-picture/profile-picture-field';
import { SaveOwnProfileDocument } from '../../generated/graphql';
import { updateAuthUser } from '../../lib/auth-storage';
import { usePending } from '../../lib/use-pending';
import { fullName, namePartsOf } from './person-name';
import type { OwnAccount } from './settings-screen';
import classes from './settings.module.css';
import { usePassingSuccess } from './use-passing-success';

interface ProfileFormProps {
  account: OwnAccount;
  /** Names of the spaces that the student is in: what the school is here. */
  schools: readonly string[];
}

export function ProfileForm({ account, schools }: ProfileFormProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'profile' });
  const before = fullName(account.firstName, account.lastName);
  const [name, setName] = useState(before);
  const [picture, setPicture] = useState(() => pictureOf(account.realProfilePicUrl));
  const [save] = useMutation(SaveOwnProfileDocument);
  const { isPending, error, run } = usePending();
  const { success, show, clear } = usePassingSuccess();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    clear();
    void run(async () => {
      const realProfilePicUrl = await storePicture(picture);
      // Untouched, a name keeps the parts that it was given.
      const names = name.trim() === before ? {} : namePartsOf(name);
      const { data } = await save({ variables: { id: account._id, ...names, realProfilePicUrl } });
      if (!data) return;
      const { firstName, lastName, realProfilePicUrl: stored } = data.updateStudent;
      updateAuthUser({
        firstName: firstName ?? '',
        lastName: lastName ?? '',
        realProfilePicUrl: stored ?? null,
      });
      setPicture(pictureOf(stored));
      show(t('saved'));
    });
  };

  return (
    <form className={classes.card} onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {success !== undefined && <FormAlert kind="success">{success}</FormAlert>}
        <ProfilePictureField value={picture} onChange={setPicture} />
        <TextInput
          label={t('name')}
          autoComplete="name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label={t('schoolName')}
          description={t('schoolHint')}
          readOnly
          value={schools.length === 0 ? t('noSchool') : schools.join(', ')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
