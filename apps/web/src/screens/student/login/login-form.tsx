import { Anchor, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { Suspense, useEffect, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../components/notices';
import { PasswordField } from '../../../features/credentials/password-field';
import { withAllTexts } from '../../../i18n/i18n';
import { lazyPart } from '../../../lib/browser/loading';
import { usePending } from '../../../lib/api/errors';
import { logIn, type SecondFactorStep } from '../../../features/credentials/log-in';

const SendConfirmation = lazyPart(withAllTexts(() => import('./send-confirmation')));

interface LoginFormProps {
  /** Prefilled after an account was created. */
  newUserName: string;
  /** Logged in; the redirect is pending. */
  isLeaving: boolean;
  remember: boolean;
  onRemember: (remember: boolean) => void;
  onStart: () => void;
  onLoggedIn: () => void;
  onSecondFactor: (step: SecondFactorStep) => void;
  onForgot: () => void;
}

// Two required fields need no form library, and this page is kept small.
function useCredentials(newUserName: string) {
  const [credentials, setCredentials] = useState({ userName: '', password: '' });
  const change = (changes: Partial<typeof credentials>) =>
    setCredentials((current) => ({ ...current, ...changes }));
  useEffect(() => {
    if (newUserName !== '') setCredentials({ userName: newUserName, password: '' });
  }, [newUserName]);
  return { credentials, change };
}

export function LoginForm(props: LoginFormProps) {
  const { newUserName, isLeaving, remember, onRemember, onStart, onForgot } = props;
  const { t } = useTranslation('auth');
  const { credentials, change } = useCredentials(newUserName);
  const [isChecked, setChecked] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const { isPending, error, setError, run } = usePending();
  const isUserNameMissing = credentials.userName.trim() === '';
  const isPasswordMissing = credentials.password === '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isUserNameMissing || isPasswordMissing) return;
    onStart();
    setConfirmation(null);
    void run(async () => {
      const outcome = await logIn({ ...credentials, remember });
      if (outcome.kind === 'signedIn') props.onLoggedIn();
      else if (outcome.kind === 'secondFactor') props.onSecondFactor(outcome.step);
      else {
        setError(outcome.reason);
        setConfirmation(outcome.confirmation);
      }
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {confirmation !== null && (
          <Suspense>
            <SendConfirmation confirmation={confirmation} />
          </Suspense>
        )}
        <TextInput
          label={t('login.userName')}
          placeholder={t('login.userNamePlaceholder')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          size="md"
          error={isChecked && isUserNameMissing && t('login.userNameRequired')}
          value={credentials.userName}
          onChange={({ currentTarget }) => change({ userName: currentTarget.value })}
        />
        <PasswordField
          label={t('login.password')}
          autoComplete="current-password"
          size="md"
          error={isChecked && isPasswordMissing && t('login.passwordRequired')}
          value={credentials.password}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
        />
        <Group justify="space-between">
          <Checkbox
            label={t('login.remember')}
            checked={remember}
            onChange={({ currentTarget }) => onRemember(currentTarget.checked)}
          />
          <Anchor component="button" type="button" size="sm" onClick={onForgot}>
            {t('login.forgot')}
          </Anchor>
        </Group>
        <Button type="submit" size="md" loading={isPending || isLeaving}>
          {t('login.submit')}
        </Button>
      </Stack>
    </form>
  );
}
