import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import { changePassword, type VerifiedPhone } from '../credentials/account-calls';
import { useFactorQuestion } from '../credentials/use-factor-question';
import { NewPasswordForm } from '../credentials/new-password-form';

interface SetNewPasswordProps {
  verified: VerifiedPhone;
  onChanged: () => void;
}

export function SetNewPassword({ verified, onChanged }: SetNewPasswordProps) {
  const { t } = useTranslation(['auth', 'recovery']);
  const { isPending, error, setError, run } = usePending();
  const { asksForFactor, asking } = useFactorQuestion();
  const change = (password: string, factorCode?: string) =>
    run(async () => {
      if (await asking(() => changePassword(verified, password, factorCode))) onChanged();
      else setError(t('recovery:failed'));
    });
  return (
    <NewPasswordForm
      notice={
        <FormAlert kind={error === undefined ? 'success' : 'error'}>
          {error ?? t('recovery:codeAccepted')}
        </FormAlert>
      }
      pending={isPending}
      submitLabel={t('recovery:submit')}
      asksForFactor={asksForFactor}
      onSubmit={(password, factorCode) => void change(password, factorCode)}
    />
  );
}
