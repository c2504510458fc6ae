import { Anchor, Button, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { FormAlert } from '../../components/form-alert';
import { SuccessModal } from '../../components/success-modal';
import { useFocusReturn } from '../../lib/use-focus-return';
import { usePending } from '../../lib/use-pending';
import { changePassword, sendOtp, type VerifiedPhone, verifyOtp } from '../credentials/account-calls';
import { NewPasswordForm, useFactorQuestion } from '../credentials/new-password-form';
import { otpDigits, OtpForm } from '../credentials/otp-form';
import { phoneDigits, PhoneField, withCountryCode } from '../credentials/phone-field';

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

interface ForgotOtpProps {
  phone: string;
  onVerified: (verified: VerifiedPhone) => void;
}

function ForgotOtp({ phone, onVerified }: ForgotOtpProps) {
  const { t } = useTranslation(['auth', 'recovery']);
  const [success, setSuccess] = useState<string>(t('recovery:codeSent', { phone }));
  const { isPending, error, isLost, setError, run } = usePending();

  const verify = (code: string) => {
    if (code.length !== otpDigits) {
      setError(t('recovery:invalidOtp'));
      return;
    }
    void run(async () => {
      const verified = await verifyOtp(withCountryCode(phone), code, 'FORGOT_PASSWORD');
      if (verified) onVerified(verified);
      else setError(t('recovery:invalidOtp'));
    });
  };
  const resend = () =>
    void run(async () => {
      if (await sendOtp(withCountryCode(phone), 'FORGOT_PASSWORD')) setSuccess(t('otp.resent'));
      else setError(t('otp.tooMany'));
    });

  return (
    <OtpForm
      phone={phone}
      pending={isPending}
      isLost={isLost}
      notice={<FormAlert kind={error === undefined ? 'success' : 'error'}>{error ?? success}</FormAlert>}
      onVerify={verify}
      onResend={resend}
    />
  );
}

function ForgotPhone({ onSent }: { onSent: (phone: string) => void }) {
  const { t } = useTranslation(['auth', 'recovery', 'account']);
  const [phone, setPhone] = useState('');
  const { isPending, error, setError, run } = usePending();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phone.length !== phoneDigits) {
      setError(t('phone.invalid'));
      return;
    }
    void run(async () => {
      if (await sendOtp(withCountryCode(phone), 'FORGOT_PASSWORD')) onSent(phone);
      else setError(t('otp.tooMany'));
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text c="dimmed" size="sm">
          {t('recovery:lead')}
        </Text>
        <PhoneField value={phone} onChange={setPhone} />
        <Button type="submit" loading={isPending} fullWidth>
          {t('recovery:sendCode')}
        </Button>
        <Anchor component={Link} to={paths.forgotPassword} size="sm" ta="center">
          {t('account:forgot.byEmail')}
        </Anchor>
      </Stack>
    </form>
  );
}

interface SetNewPasswordProps {
  verified: VerifiedPhone;
  onChanged: () => void;
}

function SetNewPassword({ verified, onChanged }: SetNewPasswordProps) {
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
