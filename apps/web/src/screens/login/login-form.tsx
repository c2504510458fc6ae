import { Anchor, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { PasswordField } from '../../features/credentials/password-field';
import { errorText } from '../../lib/errors';
import { logIn, type Credentials } from './log-in';

interface LoginFormProps {
  /** Filled in after an account was created. */
  userName: string;
  /** The session is open and the way on is being taken. */
  isLeaving: boolean;
  onStart: () => void;
  onLoggedIn: () => void;
  onForgot: () => void;
}

export function LoginForm({ userName, isLeaving, onStart, onLoggedIn, onForgot }: LoginFormProps) {
  const { t } = useTranslation('auth');
  const [error, setError] = useState<string>();
  const { register, handleSubmit, formState } = useForm<Credentials>({
    defaultValues: { userName: '', password: '', remember: false },
    values: { userName, password: '', remember: false },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (credentials) => {
    setError(undefined);
    onStart();
    try {
      const refusal = await logIn(credentials);
      if (refusal === undefined) onLoggedIn();
      else setError(refusal);
    } catch (cause) {
      setError(errorText(cause));
    }
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <TextInput
          label={t('login.userName')}
          placeholder={t('login.userNamePlaceholder')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          size="md"
          error={errors.userName?.message}
          {...register('userName', {
            validate: (value) => value.trim() !== '' || t('login.userNameRequired'),
          })}
        />
        <PasswordField
          label={t('login.password')}
          autoComplete="current-password"
          size="md"
          error={errors.password?.message}
          {...register('password', { required: t('login.passwordRequired') })}
        />
        <Group justify="space-between">
          <Checkbox label={t('login.remember')} {...register('remember')} />
          <Anchor component="button" type="button" size="sm" onClick={onForgot}>
            {t('login.forgot')}
          </Anchor>
        </Group>
        <Button type="submit" size="md" loading={isSubmitting || isLeaving}>
          {t('login.submit')}
        </Button>
      </Stack>
    </form>
  );
}
