import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import { changePassword, type VerifiedPhone } from '../credentials/account-calls';
import { NewPasswordForm } from '../credentials/new-password-form';

interface SetNewPasswordProps {
  verified: VerifiedPhone;
  onChanged: () => void;
}

export function SetNewPassword({ verified, onChanged }: SetNewPasswordProps) {
  const { t } = useTranslation('auth');
  const { isPending, error, setError, run } = usePending();
  const change = (password: string) =>
    run(async () => {
      if (await changePassword(verified, password)) onChanged();
      else setError(t('forgot.failed'));
    });
  return (
    <NewPasswordForm
      notice={
        <FormAlert kind={error === undefined ? 'success' : 'error'}>
          {error ?? t('forgot.codeAccepted')}
        </FormAlert>
      }
      pending={isPending}
      submitLabel={t('forgot.submit')}
      onSubmit={(password) => void change(password)}
    />
  );
}
