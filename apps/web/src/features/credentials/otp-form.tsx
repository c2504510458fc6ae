import { Button, Group, PinInput, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState, type ClipboardEvent, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/notices';
import { toast } from '../../components/toast';
import { useOnRecovery } from '../../lib/api/connection';
import { timings } from '../../lib/timings';
import { usePending } from '../../lib/api/errors';
import { type Purpose, sendOtp, type VerifiedPhone, verifyOtp } from './account-calls';
import { phoneDigits, PhoneField, withCountryCode } from './phone-field';

const otpDigits = 4;

/** Finds the code in a pasted message. */
const CODE = new RegExp(`(?<!\\d)\\d{${otpDigits}}(?!\\d)`);

interface PhoneFormProps {
  lead: string;
  submitLabel: string;
  onEmpty?: () => void;
  /** Resolves to whether the code was sent. */
  send: (phone: string) => Promise<boolean>;
  onSent: (phone: string) => void;
  children?: ReactNode;
}

/** Asks for a phone number and sends a code to it. */
export function PhoneForm({ lead, submitLabel, onEmpty, send, onSent, children }: PhoneFormProps) {
  const { t } = useTranslation('auth');
  const [phone, setPhone] = useState('');
  const { isPending, error, setError, run } = usePending();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phone === '' && onEmpty) onEmpty();
    else if (phone.length !== phoneDigits) setError(t('phone.invalid'));
    else
      void run(async () => {
        if (await send(withCountryCode(phone))) onSent(phone);
        else setError(t('otp.tooMany'));
      });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        <Text c="dimmed" size="sm">
          {lead}
        </Text>
        <PhoneField value={phone} onChange={setPhone} />
        <Button type="submit" loading={isPending} fullWidth>
          {submitLabel}
        </Button>
        {children}
      </Stack>
    </form>
  );
}

interface OtpFormProps {
  phone: string;
  purpose: Purpose;
  /** Shown above the code until an error replaces it. Without it, a toast confirms a resent code. */
  sent?: string;
  /** Error for a wrong code. */
  wrong: string;
  /** Reports an incomplete code; defaults to `wrong`. */
  onShort?: (code: string) => void;
  onVerified: (verified: VerifiedPhone) => void;
}

/** Seconds until a code can be resent. */
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

/** Four digits sent by SMS. The last digit submits; a wrong code or a resend clears the field. */
export function OtpForm({ phone, purpose, sent, wrong, onShort, onVerified }: OtpFormProps) {
  const { t } = useTranslation('auth');
  const [code, setCode] = useState('');
  const [success, setSuccess] = useState(sent);
  const { isPending, error, isUnknown, setError, run } = usePending();
  const message = error ?? success;
  const form = useRef<HTMLFormElement>(null);
  const isVerifying = useRef(false);
  const { left, begin } = useCountdown();
  const [complete, setComplete] = useState<string>();
  const focusDigit = (index: number) => form.current?.querySelectorAll('input')[index]?.focus();
  const restart = () => {
    setCode('');
    focusDigit(0);
  };
  const verify = (entered: string) => {
    setComplete(undefined);
    isVerifying.current = entered.length === otpDigits;
    if (!isVerifying.current) {
      focusDigit(entered.length);
      if (onShort) onShort(entered);
      else setError(wrong);
      return;
    }
    void run(async () => {
      const verified = await verifyOtp(withCountryCode(phone), entered, purpose);
      if (verified) onVerified(verified);
      else setError(wrong);
    });
  };
  const verifyNow = useRef(verify);
  useEffect(() => {
    verifyNow.current = verify;
  });
  // Submits by itself after a pause, unless the button was pressed.
  useEffect(() => {
    if (complete === undefined || complete !== code) return undefined;
    const timer = setTimeout(() => verifyNow.current(complete), timings.otpVerify);
    return () => clearTimeout(timer);
  }, [complete, code]);
  // Clears a rejected code, but keeps one that got lost: it is sent again once the connection is back.
  useEffect(() => {
    if (isPending || !isVerifying.current) return;
    isVerifying.current = false;
    if (!isUnknown) restart();
  }, [isPending, isUnknown]);
  useOnRecovery(isUnknown && code.length === otpDigits, () => verify(code));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify(code);
  };
  const paste = (event: ClipboardEvent) => {
    const [found] = CODE.exec(event.clipboardData.getData('text')) ?? [];
    // The boxes handle partial codes.
    if (found === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCode(found);
    setComplete(found);
  };
  const resend = () => {
    restart();
    begin();
    void run(async () => {
      if (!(await sendOtp(withCountryCode(phone), purpose))) setError(t('otp.tooMany'));
      else if (sent === undefined) toast.success(t('otp.resent'));
      else setSuccess(t('otp.resent'));
    });
  };

  return (
    <form ref={form} onSubmit={submit} onPasteCapture={paste} noValidate>
      <Stack gap="md">
        {message !== undefined && (
          <FormAlert kind={error === undefined ? 'success' : 'error'}>{message}</FormAlert>
        )}
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
          onComplete={(entered) => setComplete(entered)}
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
          <Button variant="subtle" onClick={resend} disabled={isPending || left > 0}>
            {left > 0 ? `${t('otp.resend')} (${left})` : t('otp.resend')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('otp.verify')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
