import { useMutation } from '@apollo/client/react';
import { Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { isUserNameTaken } from '../../features/credentials/account-calls';
import { isValidUserName } from '../../features/credentials/user-name';
import { RenameStudentDocument } from '../../generated/graphql';
import { updateAuthUser } from '../../lib/auth-storage';
import { usePending } from '../../lib/use-pending';
import type { OwnAccount } from './settings-screen';
import classes from './settings.module.css';
import { usePassingSuccess } from './use-passing-success';

/** User name, e-mail and id number, with the way to another user name. */
export function AccountCard({ account }: { account: OwnAccount }) {
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
