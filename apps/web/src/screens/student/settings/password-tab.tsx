import { useMutation } from '@apollo/client/react';
import { Button, Group, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { confirmedLogout, paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { SuccessModal } from '../../../components/dialogs';
import { minimumPasswordLength, NewPasswordField } from '../../../features/credentials/new-password-field';
import { PasswordField } from '../../../features/credentials/password-field';
import { ReplacePasswordDocument } from '../../../generated/graphql';
import { errorOf } from '../../../lib/api/graphql-fetch';
import { usePending } from '../../../lib/api/errors';
import classes from './settings.module.css';

interface Values {
  old: string;
  password: string;
  confirmation: string;
}

type Problem = 'bothEmpty' | 'empty' | 'confirmEmpty' | 'tooShort' | 'mismatch';

/** The first rule the new password breaks. The server checks the old one. */
function problemOf({ password, confirmation }: Values): Problem | undefined {
  if (password === '') return confirmation === '' ? 'bothEmpty' : 'empty';
  if (confirmation === '') return 'confirmEmpty';
  if (password.length < minimumPasswordLength) return 'tooShort';
  return password === confirmation ? undefined : 'mismatch';
}

/** A change ends every session, including this one. */
export function PasswordTab() {
  const { t } = useTranslation('settings', { keyPrefix: 'password' });
  const navigate = useNavigate();
  const [values, setValues] = useState<Values>({ old: '', password: '', confirmation: '' });
  const [isChanged, setChanged] = useState(false);
  const [replacePassword] = useMutation(ReplacePasswordDocument);
  const { isPending, error, setError, run } = usePending();
  const change = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = problemOf(values);
    if (problem !== undefined) {
      setError(t(problem));
      return;
    }
    void run(async () => {
      const { data } = await replacePassword({
        variables: { oldPassword: values.old, password: values.password },
      });
      const refusal = data?.changePassword.refusal;
      if (refusal) throw errorOf(refusal);
      setChanged(true);
    });
  };

  return (
    <form className={classes.card} onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <PasswordField
          label={t('old')}
          autoComplete="current-password"
          value={values.old}
          onChange={({ currentTarget }) => change({ old: currentTarget.value })}
        />
        <NewPasswordField
          label={t('new')}
          current={values.password}
          value={values.password}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
        />
        <PasswordField
          label={t('confirm')}
          autoComplete="new-password"
          value={values.confirmation}
          onChange={({ currentTarget }) => change({ confirmation: currentTarget.value })}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
      <SuccessModal
        opened={isChanged}
        title={t('changed')}
        text={t('changedText')}
        action={t('ok')}
        onAction={() => void navigate(paths.logout, confirmedLogout)}
      />
    </form>
  );
}
