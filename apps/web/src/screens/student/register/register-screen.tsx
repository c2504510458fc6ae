import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { useLinkToken } from '../../../features/auth-page/use-link-token';
import { isEmailShaped, isValidUserName } from '../../../features/credentials/account-fields';
import { NewPasswordField, usePasswordError } from '../../../features/credentials/new-password-field';
import { TermsLine } from '../../../features/credentials/terms-line';
import type { RegisterByEmailMutation, RegisterByEmailMutationVariables } from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { usePending } from '../../../lib/api/errors';
import { useScreenTitle } from '../../../lib/browser/announce';
import { ConfirmEmail } from './confirm-email';
import registerByEmail from './register-by-email.graphql?call';

/** Registration by email: the form, and the target of the emailed link. */
export default function RegisterScreen() {
  const { t } = useTranslation('account');
  const token = useLinkToken();
  const [confirmed, setConfirmed] = useState<string>();
  const linkArea = token === confirmed ? 'confirmed' : 'confirm';
  const area = token === undefined ? 'register' : linkArea;
  useScreenTitle(t(`${area}.title`));
  return (
    <AuthPage
      heading={t(`${area}.title`)}
      lead={t(`${area}.lead`)}
      foot={
        <>
          {t('register.hasAccount')}{' '}
          <Anchor component={Link} to={paths.login} fw={600}>
            {t('register.login')}
          </Anchor>
        </>
      }
    >
      {token === undefined ? (
        <RegisterForm />
      ) : (
        <ConfirmEmail key={token} token={token} onConfirmed={setConfirmed} />
      )}
    </AuthPage>
  );
}

interface Values {
  email: string;
  userName: string;
  password: string;
}

const empty: Values = { email: '', userName: '', password: '' };

/** Error of each field, translated. */
function useFieldErrors({ email, userName, password }: Values) {
  const { t } = useTranslation(['account', 'auth', 'profile']);
  const userNameError = () => {
    if (userName === '') return t('auth:login.userNameRequired');
    return isValidUserName(userName) ? undefined : t('profile:edit.userNameInvalid');
  };
  const passwordError = usePasswordError(password);
  return {
    email: isEmailShaped(email) ? undefined : t('account:emailInvalid'),
    userName: userNameError(),
    password: passwordError,
  };
}

function RegisterForm() {
  const { t } = useTranslation('account');
  const [values, setValues] = useState(empty);
  const [isChecked, setChecked] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  const { isPending, error, run } = usePending();
  const found = useFieldErrors(values);
  const shown = isChecked ? found : undefined;
  const change = (changes: Partial<Values>) => setValues((current) => ({ ...current, ...changes }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.values(found).some((problem) => problem !== undefined)) return;
    void run(async () => {
      await postGraphql<RegisterByEmailMutation, RegisterByEmailMutationVariables>(registerByEmail, values);
      setSentTo(values.email);
      setChecked(false);
    });
  };

  if (sentTo !== undefined)
    return (
      <Stack gap="md">
        <FormAlert kind="success">{t('register.success')}</FormAlert>
        <Text>{t('register.sent', { email: sentTo })}</Text>
        <Anchor component="button" type="button" onClick={() => setSentTo(undefined)}>
          {t('register.otherEmail')}
        </Anchor>
      </Stack>
    );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <TextInput
          type="email"
          label={t('email')}
          autoComplete="email"
          size="md"
          error={shown?.email}
          value={values.email}
          onChange={({ currentTarget }) => change({ email: currentTarget.value.trim() })}
        />
        <TextInput
          label={t('userName')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          size="md"
          error={shown?.userName}
          value={values.userName}
          onChange={({ currentTarget }) => change({ userName: currentTarget.value })}
        />
        <NewPasswordField
          label={t('password')}
          size="md"
          current={values.password}
          error={shown?.password}
          value={values.password}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
        />
        <Button type="submit" size="md" loading={isPending}>
          {t('register.submit')}
        </Button>
        <TermsLine />
      </Stack>
    </form>
  );
}
