import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SuccessModal } from '../../components/success-modal';
import { useFocusReturn } from '../../lib/use-focus-return';
import type { VerifiedPhone } from '../credentials/account-calls';
import { ForgotOtp } from './forgot-otp';
import { ForgotPhone } from './forgot-phone';
import { SetNewPassword } from './set-new-password';

type Step =
  | { name: 'phone' }
  | { name: 'otp'; phone: string }
  | { name: 'newPassword'; verified: VerifiedPhone }
  | { name: 'changed' };

/** From the phone number to the new password, one modal after the other. */
export default function ForgotPasswordFlow({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['auth', 'recovery']);
  useFocusReturn();
  const [step, setStep] = useState<Step>({ name: 'phone' });
  switch (step.name) {
    case 'phone':
      return (
        <Modal key="phone" opened onClose={onClose} title={t('recovery:title')} size="sm">
          <ForgotPhone onSent={(phone) => setStep({ name: 'otp', phone })} />
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
          <ForgotOtp
            phone={step.phone}
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
