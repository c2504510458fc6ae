import { Button, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { SuccessModal } from '../../components/success-modal';
import { toast } from '../../components/toast';
import { Toasts } from '../../components/toasts';
import { useFocusReturn } from '../../lib/use-focus-return';
import { usePending } from '../../lib/use-pending';
import { createStudent, sendOtp, type VerifiedPhone, verifyOtp } from '../credentials/account-calls';
import { otpDigits, OtpForm } from '../credentials/otp-form';
import { phoneDigits, PhoneField, withCountryCode } from '../credentials/phone-field';
import { CreateProfileModal, type NewAccount } from './create-profile-modal';

type Step =
  | { name: 'phone' }
  | { name: 'otp'; phone: string }
  | { name: 'verified'; verified: VerifiedPhone }
  | { name: 'profile'; verified: Provided }
  | { name: 'created'; account: NewAccount };

type Provided = Pick<VerifiedPhone, 'studentId' | 'grant'>;

interface SignUpFlowProps {
  /** Somebody whom a provider vouches for: only the profile is left, and no password is needed. */
  provided?: Provided | undefined;
  onClose: () => void;
  /** The new account is ready to log in. */
  onCreated: (account: NewAccount) => void;
}

/** From the phone number to the account, one modal after the other. Each is a new one, so that its first field gets the focus. */
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
          <SignUpPhone onSent={(phone) => setStep({ name: 'otp', phone })} />
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
          <SignUpOtp phone={step.phone} onVerified={(verified) => setStep({ name: 'verified', verified })} />
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

interface SignUpOtpProps {
  phone: string;
  onVerified: (verified: VerifiedPhone) => void;
}

function SignUpOtp({ phone, onVerified }: SignUpOtpProps) {
  const { t } = useTranslation('auth');
  const { isPending, error, isLost, setError, run } = usePending();

  const verify = (code: string) => {
    if (code === '') return void toast.error(t('otp.empty'));
    if (code.length !== otpDigits) return void toast.error(t('otp.invalid'));
    void run(async () => {
      const verified = await verifyOtp(withCountryCode(phone), code, 'SIGN_UP');
      if (verified) onVerified(verified);
      else setError(t('otp.notMatched'));
    });
  };
  const resend = () =>
    void run(async () => {
      if (await sendOtp(withCountryCode(phone), 'SIGN_UP')) toast.success(t('otp.resent'));
      else setError(t('otp.tooMany'));
    });

  return (
    <OtpForm
      phone={phone}
      pending={isPending}
      isLost={isLost}
      notice={error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      onVerify={verify}
      onResend={resend}
    />
  );
}

/** Asks for the number, and for the code to be sent to it. */
function SignUpPhone({ onSent }: { onSent: (phone: string) => void }) {
  const { t } = useTranslation(['auth', 'signUp']);
  const [phone, setPhone] = useState('');
  const { isPending, error, setError, run } = usePending();

  const requestCode = async () => {
    const fullNumber = withCountryCode(phone);
    await createStudent(fullNumber);
    if (!(await sendOtp(fullNumber, 'SIGN_UP'))) {
      setError(t('otp.tooMany'));
      return;
    }
    onSent(phone);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phone === '') return void toast.error(t('phone.empty'));
    if (phone.length !== phoneDigits) {
      setError(t('phone.invalid'));
      return;
    }
    void run(requestCode);
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text c="dimmed" size="sm">
          {t('signUp:lead')}
        </Text>
        <PhoneField value={phone} onChange={setPhone} />
        <Button type="submit" loading={isPending} fullWidth>
          {t('signUp:getOtp')}
        </Button>
      </Stack>
    </form>
  );
}
