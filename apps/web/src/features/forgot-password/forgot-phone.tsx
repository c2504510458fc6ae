import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { FormAlert } from '../../components/form-alert';
import { usePending } from '../../lib/use-pending';
import { sendOtp } from '../credentials/account-calls';
import { PhoneField, phoneDigits, withCountryCode } from '../credentials/phone-field';

export function ForgotPhone({ onSent }: { onSent: (phone: string) => void }) {
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
