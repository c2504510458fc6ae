import { zodResolver } from '@hookform/resolvers/zod';
import { Button, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { errorRule } from '../../lib/api/errors';
import { minimumPasswordLength, NewPasswordField } from './new-password-field';
import { PasswordField } from './password-field';

interface NewPasswordFormProps {
  /** Result of the last attempt. */
  notice?: ReactNode;
  pending: boolean;
  submitLabel: string;
  /** Also asks for a code of the account's second factor. */
  needsFactor?: boolean;
  onSubmit: (password: string, factorCode?: string) => void;
}

function usePasswordSchema() {
  const { t } = useTranslation(['auth', 'recovery']);
  return z
    .object({
      password: z
        .string()
        .check(
          z.minLength(1, { error: t('recovery:passwordRequired'), abort: true }),
          z.minLength(minimumPasswordLength, t('password.tooShort')),
        ),
      confirmation: z.string().check(z.minLength(1, t('recovery:confirmRequired'))),
    })
    .check(
      z.refine(({ password, confirmation }) => password === confirmation, {
        error: t('recovery:mismatch'),
        path: ['confirmation'],
      }),
    );
}

type PasswordValues = z.infer<ReturnType<typeof usePasswordSchema>>;

/** Sets a new password, typed twice. */
export function NewPasswordForm(props: NewPasswordFormProps) {
  const { notice, pending, submitLabel, needsFactor = false, onSubmit } = props;
  const { t } = useTranslation(['auth', 'recovery']);
  const { register, control, handleSubmit, formState } = useForm<PasswordValues>({
    resolver: zodResolver(usePasswordSchema()),
    defaultValues: { password: '', confirmation: '' },
  });
  const current = useWatch({ control, name: 'password' });
  const [factorCode, setFactorCode] = useState('');
  const submit = handleSubmit(({ password }) =>
    needsFactor ? onSubmit(password, factorCode.trim()) : onSubmit(password),
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {notice}
        <NewPasswordField
          label={t('recovery:newPassword')}
          current={current}
          error={formState.errors.password?.message}
          data-autofocus
          {...register('password')}
        />
        <PasswordField
          label={t('recovery:confirmPassword')}
          autoComplete="new-password"
          error={formState.errors.confirmation?.message}
          {...register('confirmation')}
        />
        {needsFactor && (
          <TextInput
            label={t('recovery:factorCode')}
            description={t('recovery:factorCodeHint')}
            autoComplete="one-time-code"
            value={factorCode}
            onChange={({ currentTarget }) => setFactorCode(currentTarget.value)}
          />
        )}
        <Button type="submit" loading={pending} fullWidth>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}

/** Asks for the second factor once the API has rejected a new password without one. */
export function useFactorPrompt() {
  const [needsFactor, setNeedsFactor] = useState(false);
  const asking = useCallback(async <Answer,>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      if (errorRule(error) === 'SECOND_FACTOR_REQUIRED') setNeedsFactor(true);
      throw error;
    }
  }, []);
  return { needsFactor, asking };
}
