import { useTranslation } from 'react-i18next';
import { minimumPasswordLength } from './new-password-field';

/** What is wrong with a password that is being chosen, in the words of the log-in page. */
export function usePasswordError(password: string): string | undefined {
  const { t } = useTranslation('auth');
  if (password === '') return t('login.passwordRequired');
  return password.length < minimumPasswordLength ? t('password.tooShort') : undefined;
}
