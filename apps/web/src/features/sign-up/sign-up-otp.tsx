import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { toast } from '../../components/toast';
import { usePending } from '../../lib/use-pending';
import { sendOtp, verifyOtp, type VerifiedPhone } from '../credentials/account-calls';
import { OtpForm, otpDigits } from '../credentials/otp-form';
import { withCountryCode } from '../credentials/phone-field';

interface SignUpOtpProps {
  phone: string;
  onVerified: (verified: VerifiedPhone) => void;
}

export function SignUpOtp({ phone, onVerified }: SignUpOtpProps) {
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
