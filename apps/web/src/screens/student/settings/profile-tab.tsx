import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useMutation } from '@apollo/client/react';
import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { timings } from '../../../lib/timings';
import { FormAlert } from '../../../components/notices';
import { isUserNameTaken } from '../../../features/credentials/account-calls';
import { isValidUserName } from '../../../features/credentials/account-fields';
import {
  pictureOf,
  ProfilePictureField,
  storePicture,
} from '../../../features/profile-picture/profile-picture-field';
import {
  type OwnAccountQuery,
  RenameStudentDocument,
  SaveOwnProfileDocument,
} from '../../../generated/graphql';
import { updateAuthUser } from '../../../lib/auth-storage';
import { usePending } from '../../../lib/api/errors';
import type { OwnAccount } from './contact-change';
import { ContactsCard } from './contacts-card';
import classes from './settings.module.css';

/** A success message that disappears. */
function usePassingSuccess() {
  // A new object each time, so that a second success is shown as long as the first.
  const [success, setSuccess] = useState<{ message: string }>();
  useEffect(() => {
    if (!success) return undefined;
    const timer = setTimeout(() => setSuccess(undefined), timings.successMessage);
    return () => clearTimeout(timer);
  }, [success]);
  const show = useCallback((message: string) => setSuccess({ message }), []);
  const clear = useCallback(() => setSuccess(undefined), []);
  return { success: success?.message, show, clear };
}

export type OwnSpace = OwnAccountQuery['getSpaces'][number];

interface ProfileTabProps {
  account: OwnAccount;
  spaces: readonly OwnSpace[];
}

export function ProfileTab({ account, spaces }: ProfileTabProps) {
  return (
    <Stack gap="lg">
      <ProfileForm
        account={account}
        schools={spaces.filter(({ joined }) => joined).map(({ name }) => name)}
      />
      <AccountCard account={account} />
      <ContactsCard account={account} />
    </Stack>
  );
}

/** Username, email and ID, with the form to change the username. */
function AccountCard({ account }: { account: OwnAccount }) {
  const { t } = useTranslation('settings', { keyPrefix: 'profile' });
  const facts = [
    [t('userName'), account.userName],
    [t('email'), account.email],
    [t('idNumber'), account._id],
  ] as const;
  return (
    <section className={classes.card} aria-labelledby="settings-account">
      <Title order={2} size="h3" id="settings-account" mb="md">
        {t('account')}
      </Title>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <FactRow key={name} name={name} value={value ?? t('none')} />
        ))}
      </dl>
      <RenameForm id={account._id} userName={account.userName ?? ''} />
    </section>
  );
}

function FactRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function useRename(id: string, before: string) {
  const { t } = useTranslation(['settings', 'profile']);
  const [rename] = useMutation(RenameStudentDocument);
  const { isPending, error, setError, run } = usePending();
  const { success, show, clear } = usePassingSuccess();
  const problemOf = (userName: string) => {
    if (userName === '') return t('profile:edit.userNameRequired');
    return isValidUserName(userName) ? undefined : t('profile:edit.userNameInvalid');
  };
  const send = async (userName: string) => {
    const isOther = userName.toLowerCase() !== before.toLowerCase();
    if (isOther && (await isUserNameTaken(userName))) {
      setError(t('profile:edit.userNameTaken'));
      return;
    }
    await rename({ variables: { id, userName } });
    updateAuthUser({ userName });
    show(t('settings:profile.saved'));
  };
  const submit = (userName: string) => {
    clear();
    const problem = problemOf(userName);
    if (problem === undefined) void run(() => send(userName));
    else setError(problem);
  };
  return { isPending, error, success, submit };
}

function RenameForm({ id, userName: before }: { id: string; userName: string }) {
  const { t } = useTranslation('settings', { keyPrefix: 'profile' });
  const [userName, setUserName] = useState(before);
  const { isPending, error, success, submit } = useRename(id, before);
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit(userName.trim());
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {success !== undefined && <FormAlert kind="success">{success}</FormAlert>}
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('newUserName')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            flex={1}
            value={userName}
            onChange={({ currentTarget }) => setUserName(currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={isPending}>
            {t('rename')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ProfileFormProps {
  account: OwnAccount;
  /** Names of the joined spaces, which stand for the school here. */
  schools: readonly string[];
}

function ProfileForm({ account, schools }: ProfileFormProps) {
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
      // An unchanged name keeps its parts.
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

interface NameParts {
  firstName: string;
  lastName: string;
}

/** Full name on one line. */
const fullName = (firstName: string | null | undefined, lastName: string | null | undefined): string =>
  [firstName, lastName].filter(Boolean).join(' ');

/** The last word is the last name if there are at least two. */
function namePartsOf(name: string): NameParts {
  const words = name.trim().split(/\s+/);
  return words.length < 2
    ? { firstName: words[0] ?? '', lastName: '' }
    : { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' };
}
