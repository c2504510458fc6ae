import { zodResolver } from '@hookform/resolvers/zod';
import { Button, Stack } from '@mantine/core';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import { changePassword, type VerifiedPhone } from '../credentials/account-calls';
import { minimumPasswordLength, NewPasswordField } from '../credentials/new-password-field';
import { PasswordField } from '../credentials/password-field';

interface SetNewPasswordProps {
  verified: VerifiedPhone;
  onChanged: () => void;
}

function usePasswordSchema() {
  const { t } = useTranslation('auth');
  return z
    .object({
      password: z
        .string()
        .check(
          z.minLength(1, { error: t('forgot.passwordRequired'), abort: true }),
          z.minLength(minimumPasswordLength, t('password.tooShort')),
        ),
      confirmation: z.string().check(z.minLength(1, t('forgot.confirmRequired'))),
    })
    .check(
      z.refine(({ password, confirmation }) => password === confirmation, {
        error: t('forgot.mismatch'),
        path: ['confirmation'],
      }),
    );
}

type PasswordValues = z.infer<ReturnType<typeof usePasswordSchema>>;

export function SetNewPassword({ verified, onChanged }: SetNewPasswordProps) {
  const { t } = useTranslation('auth');
  const { isPending, error, setError, run } = usePending();
  const { register, control, handleSubmit, formState } = useForm<PasswordValues>({
    resolver: zodResolver(usePasswordSchema()),
    defaultValues: { password: '', confirmation: '' },
  });
  const current = useWatch({ control, name: 'password' });

  const submit = handleSubmit(({ password }) =>
    run(async () => {
      if (await changePassword(verified, password)) onChanged();
      else setError(t('forgot.failed'));
    }),
  );

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <FormAlert kind={error === undefined ? 'success' : 'error'}>
          {error ?? t('forgot.codeAccepted')}
        </FormAlert>
        <NewPasswordField
          label={t('forgot.newPassword')}
          current={current}
          error={formState.errors.password?.message}
          data-autofocus
          {...register('password')}
        />
        <PasswordField
          label={t('forgot.confirmPassword')}
          autoComplete="new-password"
          error={formState.errors.confirmation?.message}
          {...register('confirmation')}
        />
        <Button type="submit" loading={isPending} fullWidth>
          {t('forgot.submit')}
        </Button>
      </Stack>
    </form>
  );
}
