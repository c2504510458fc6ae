import { Button, Group, PinInput, Stack, Text } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export const otpDigits = 4;

interface OtpFormProps {
  phone: string;
  pending: boolean;
  /** What the last attempt answered. */
  notice?: ReactNode;
  onVerify: (code: string) => void;
  onResend: () => void;
}

/** Four digits, sent by SMS. Sending them again empties the field. */
export function OtpForm({ phone, pending, notice, onVerify, onResend }: OtpFormProps) {
  const { t } = useTranslation('auth');
  const [code, setCode] = useState('');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onVerify(code);
  };
  const resend = () => {
    setCode('');
    onResend();
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {notice}
        <Text c="dimmed" size="sm">
          {t('otp.sentTo', { phone })}
        </Text>
        <PinInput
          length={otpDigits}
          type="number"
          size="lg"
          oneTimeCode
          placeholder=""
          value={code}
          onChange={setCode}
          role="group"
          mx="auto"
          my="xs"
          aria-label={t('otp.label')}
          getInputProps={(index) => ({
            'aria-label': t('otp.digit', { number: index + 1 }),
            'data-autofocus': index === 0 || undefined,
          })}
        />
        <Group justify="space-between">
          <Button variant="subtle" onClick={resend} disabled={pending}>
            {t('otp.resend')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('otp.verify')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
