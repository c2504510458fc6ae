import { Button, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { toast } from '../../components/toast';
import { usePending } from '../../lib/use-pending';
import { createStudent, sendOtp } from '../credentials/account-calls';
import { PhoneField, phoneDigits, withCountryCode } from '../credentials/phone-field';

/** Asks for the number, and for the code to be sent to it. */
export function SignUpPhone({ onSent }: { onSent: (phone: string) => void }) {
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
