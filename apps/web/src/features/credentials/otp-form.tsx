import { Button, Group, PinInput, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ClipboardEvent, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnRecovery } from '../../lib/connection';
import { timings } from '../../lib/timings';

export const otpDigits = 4;

/** The code in a whole message. */
const CODE = new RegExp(`(?<!\\d)\\d{${otpDigits}}(?!\\d)`);

interface OtpFormProps {
  phone: string;
  pending: boolean;
  /** The last attempt got no answer. */
  isLost: boolean;
  /** What the last attempt answered. */
  notice?: ReactNode;
  onVerify: (code: string) => void;
  onResend: () => void;
}

/** Seconds until a code may be sent once more. */
const RESEND_AFTER = 30;

function useCountdown() {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, begin: () => setLeft(RESEND_AFTER) };
}

/** Four digits, sent by SMS. The last one verifies; a wrong code and sending again empty the field. */
export function OtpForm({ phone, pending, isLost, notice, onVerify, onResend }: OtpFormProps) {
  const { t } = useTranslation('auth');
  const [code, setCode] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const isVerifying = useRef(false);
  const { left, begin } = useCountdown();
  const [complete, setComplete] = useState<string>();
  const focusDigit = (index: number) => form.current?.querySelectorAll('input')[index]?.focus();
  const restart = () => {
    setCode('');
    focusDigit(0);
  };
  const verify = (given: string) => {
    setComplete(undefined);
    isVerifying.current = given.length === otpDigits;
    if (!isVerifying.current) focusDigit(given.length);
    onVerify(given);
  };
  const verifyNow = useRef(verify);
  useEffect(() => {
    verifyNow.current = verify;
  });
  // Nobody has to press anything; whoever does is not asked twice.
  useEffect(() => {
    if (complete === undefined || complete !== code) return undefined;
    const timer = setTimeout(() => verifyNow.current(complete), timings.otpVerify);
    return () => clearTimeout(timer);
  }, [complete, code]);
  // A code that was refused is of no use any more; one that got lost goes once more when the connection is back.
  useEffect(() => {
    if (pending || !isVerifying.current) return;
    isVerifying.current = false;
    if (!isLost) restart();
  }, [pending, isLost]);
  useOnRecovery(isLost && code.length === otpDigits, () => verify(code));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify(code);
  };
  const paste = (event: ClipboardEvent) => {
    const [found] = CODE.exec(event.clipboardData.getData('text')) ?? [];
    // In parts, the boxes join it themselves.
    if (found === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCode(found);
    setComplete(found);
  };
  const resend = () => {
    restart();
    begin();
    onResend();
  };

  return (
    <form ref={form} onSubmit={submit} onPasteCapture={paste} noValidate>
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
          onComplete={(given) => setComplete(given)}
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
          <Button variant="subtle" onClick={resend} disabled={pending || left > 0}>
            {left > 0 ? `${t('otp.resend')} (${left})` : t('otp.resend')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('otp.verify')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
