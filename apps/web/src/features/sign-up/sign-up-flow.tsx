import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SuccessModal } from '../../components/dialogs';
import { toast, Toasts } from '../../components/toast';
import { useFocusReturn } from '../../lib/browser/focus';
import { createStudent, sendOtp, type VerifiedPhone } from '../credentials/account-calls';
import { OtpForm, PhoneForm } from '../credentials/otp-form';
import { CreateProfileModal, type NewAccount } from './create-profile-modal';

type Step =
  | { name: 'phone' }
  | { name: 'otp'; phone: string }
  | { name: 'verified'; verified: VerifiedPhone }
  | { name: 'profile'; verified: Provided }
  | { name: 'created'; account: NewAccount };

type Provided = Pick<VerifiedPhone, 'studentId' | 'grant'>;

interface SignUpFlowProps {
  /** Set for a student authenticated by a provider, who only needs a profile and no password. */
  provided?: Provided | undefined;
  onClose: () => void;
  /** Called when the new account can log in. */
  onCreated: (account: NewAccount) => void;
}

/** Creates an account by phone, in a series of modals. Each is a new one, so that its first field gets the focus. */
export default function SignUpFlow(props: SignUpFlowProps) {
  return (
    <>
      <Toasts />
      <SignUpSteps {...props} />
    </>
  );
}

function SignUpSteps({ provided, onClose, onCreated }: SignUpFlowProps) {
  const { t } = useTranslation(['auth', 'signUp']);
  useFocusReturn();
  const [step, setStep] = useState<Step>(
    provided ? { name: 'profile', verified: provided } : { name: 'phone' },
  );
  switch (step.name) {
    case 'phone':
      return (
        <Modal key="phone" opened onClose={onClose} title={t('signUp:title')} size="sm">
          <PhoneForm
            lead={t('signUp:lead')}
            submitLabel={t('signUp:getOtp')}
            onEmpty={() => toast.error(t('phone.empty'))}
            send={async (phone) => {
              await createStudent(phone);
              return sendOtp(phone, 'SIGN_UP');
            }}
            onSent={(phone) => setStep({ name: 'otp', phone })}
          />
        </Modal>
      );
    case 'otp':
      return (
        <Modal
          key="otp"
          opened
          onClose={onClose}
          title={t('signUp:otpTitle')}
          size="sm"
          closeOnClickOutside={false}
        >
          <OtpForm
            phone={step.phone}
            purpose="SIGN_UP"
            wrong={t('otp.notMatched')}
            onShort={(code) => toast.error(t(code === '' ? 'otp.empty' : 'otp.invalid'))}
            onVerified={(verified) => setStep({ name: 'verified', verified })}
          />
        </Modal>
      );
    case 'verified':
      return (
        <SuccessModal
          opened
          title={t('signUp:verifiedTitle')}
          text={t('signUp:verifiedText')}
          action={t('signUp:done')}
          onAction={() => setStep({ name: 'profile', verified: step.verified })}
        />
      );
    case 'profile':
      return (
        <CreateProfileModal
          verified={step.verified}
          withPassword={!provided}
          onClose={onClose}
          onCreated={(account) => setStep({ name: 'created', account })}
        />
      );
    case 'created':
      return (
        <SuccessModal
          opened
          title={t('signUp:createdTitle')}
          text={
            provided ? t('social.createdText') : t('signUp:createdText', { userName: step.account.userName })
          }
          action={t('signUp:loginNow')}
          onAction={() => onCreated(step.account)}
        />
      );
  }
}
