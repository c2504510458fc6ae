import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { errorText } from '../../lib/errors';
import { finishAtReturn, type ProviderReturn } from './provider-sign-in';

/** Why the api sent the browser back without a code, by what stands in the address. */
const reasons = {
  CANCELLED: 'cancelled',
  PROVIDER_EMAIL_REQUIRED: 'emailRequired',
  SIGN_IN_EXPIRED: 'expired',
} as const;

const isReason = (name: string): name is keyof typeof reasons => name in reasons;

/** Completes a sign-in when the browser comes back from a provider, and says what went wrong. */
export function useProviderReturn(onReturn: (returned: ProviderReturn) => void): {
  error: string | undefined;
  isFinishing: boolean;
} {
  const { t } = useTranslation('auth');
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const [isFinishing, setFinishing] = useState(false);
  // A code is good once, and effects may run twice.
  const taken = useRef('');
  useEffect(() => {
    if (hash === '' || taken.current === hash) return;
    taken.current = hash;
    const answer = new URLSearchParams(hash.slice(1));
    const [code, refused] = [answer.get('code'), answer.get('refused')];
    void navigate(pathname, { replace: true });
    if (refused !== null) setError(t(`social.${isReason(refused) ? reasons[refused] : 'failed'}`));
    if (code === null) return;
    setFinishing(true);
    finishAtReturn(code)
      .then(
        (returned) => (returned ? onReturn(returned) : setError(t('social.expired'))),
        (cause: unknown) => setError(errorText(cause)),
      )
      .finally(() => setFinishing(false));
  }, [hash, pathname, navigate, onReturn, t]);
  return { error, isFinishing };
}
