import { Anchor, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { FormAlert } from '../../components/notices';
import { SuccessModal } from '../../components/dialogs';
import { useFocusReturn } from '../../lib/browser/focus';
import { usePending } from '../../lib/api/errors';
import { changePassword, sendOtp, type VerifiedPhone } from '../credentials/account-calls';
import { NewPasswordForm, useFactorPrompt } from '../credentials/new-password-form';
import { OtpForm, PhoneForm } from '../credentials/otp-form';

type Step =
  | { name: 'phone' }
  | { name: 'otp'; phone: string }
  | { name: 'newPassword'; verified: VerifiedPhone }
  | { name: 'changed' };

/** Resets a password by phone, in a series of modals. */
export default function ForgotPasswordFlow({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['auth', 'recovery', 'account']);
  useFocusReturn();
  const [step, setStep] = useState<Step>({ name: 'phone' });
  switch (step.name) {
    case 'phone':
      return (
        <Modal key="phone" opened onClose={onClose} title={t('recovery:title')} size="sm">
          <PhoneForm
            lead={t('recovery:lead')}
            submitLabel={t('recovery:sendCode')}
            send={(phone) => sendOtp(phone, 'FORGOT_PASSWORD')}
            onSent={(phone) => setStep({ name: 'otp', phone })}
          >
            <Anchor component={Link} to={paths.forgotPassword} size="sm" ta="center">
              {t('account:forgot.byEmail')}
            </Anchor>
          </PhoneForm>
        </Modal>
      );
    case 'otp':
      return (
        <Modal
          key="otp"
          opened
          onClose={onClose}
          title={t('recovery:otpTitle')}
          size="sm"
          closeOnClickOutside={false}
        >
          <OtpForm
            phone={step.phone}
            purpose="FORGOT_PASSWORD"
            sent={t('recovery:codeSent', { phone: step.phone })}
            wrong={t('recovery:invalidOtp')}
            onVerified={(verified) => setStep({ name: 'newPassword', verified })}
          />
        </Modal>
      );
    case 'newPassword':
      return (
        <Modal
          key="password"
          opened
          onClose={onClose}
          title={t('recovery:newTitle')}
          size="sm"
          closeOnClickOutside={false}
        >
          <SetNewPassword verified={step.verified} onChanged={() => setStep({ name: 'changed' })} />
        </Modal>
      );
    case 'changed':
      return (
        <SuccessModal
          opened
          title={t('recovery:changedTitle')}
          text={t('recovery:changedText')}
          action={t('recovery:loginNow')}
          onAction={onClose}
        />
      );
  }
}

interface SetNewPasswordProps {
  verified: VerifiedPhone;
  onChanged: () => void;
}

function SetNewPassword({ verified, onChanged }: SetNewPasswordProps) {
  const { t } = useTranslation(['auth', 'recovery']);
  const { isPending, error, setError, run } = usePending();
  const { needsFactor, asking } = useFactorPrompt();
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
      needsFactor={needsFactor}
      onSubmit={(password, factorCode) => void change(password, factorCode)}
    />
  );
}
