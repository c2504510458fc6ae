import type { PasswordInputProps } from '@mantine/core';
import { forwardRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './new-password-field.module.css';
import { PasswordField } from './password-field';

export const minimumPasswordLength = 8;
// Word joiners keep the symbols on one line.
const symbols = Array.from('-+_!@#$%^&*.,?').join('\u2060');
const criteria = [/[a-z]/, /[A-Z]/, /\d/, /[-+_!@#$%^&*.,?]/];

/** Number of character classes used, 0 to 4; at most 1 while the password is too short. */
export function passwordStrength(password: string): number {
  const met = criteria.filter((criterion) => criterion.test(password)).length;
  return password.length < minimumPasswordLength ? Math.min(met, 1) : met;
}

interface NewPasswordFieldProps extends PasswordInputProps {
  /** The password as typed so far. */
  current: string;
}

/** Field for a new password with a strength meter, which is only advice. */
export const NewPasswordField = forwardRef<HTMLInputElement, NewPasswordFieldProps>(function NewPasswordField(
  { current, ...input },
  ref,
) {
  const { t } = useTranslation('auth');
  const strength = passwordStrength(current);
  const verdict = t('password.strengthSteps', { returnObjects: true })[strength] ?? '';
  return (
    <div>
      <PasswordField ref={ref} autoComplete="new-password" {...input} />
      <div
        className={classes.meter}
        role="meter"
        aria-label={t('password.strength')}
        aria-valuemin={0}
        aria-valuemax={criteria.length}
        aria-valuenow={strength}
        aria-valuetext={verdict}
        data-strength={strength}
      >
        {criteria.map(({ source }, step) => (
          <span key={source} className={classes.segment} data-reached={step < strength} />
        ))}
      </div>
      <p className={classes.verdict}>{current === '' ? t('password.hint', { symbols }) : verdict}</p>
    </div>
  );
});

/** Error of a new password, in the wording of the login page. */
export function usePasswordError(password: string): string | undefined {
  const { t } = useTranslation('auth');
  if (password === '') return t('login.passwordRequired');
  return password.length < minimumPasswordLength ? t('password.tooShort') : undefined;
}
