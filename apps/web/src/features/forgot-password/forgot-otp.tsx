import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import { sendOtp, verifyOtp, type VerifiedPhone } from '../credentials/account-calls';
import { OtpForm, otpDigits } from '../credentials/otp-form';
import { withCountryCode } from '../credentials/phone-field';

interface ForgotOtpProps {
  phone: string;
  onVerified: (verified: VerifiedPhone) => void;
}

export function ForgotOtp({ phone, onVerified }: ForgotOtpProps) {
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
