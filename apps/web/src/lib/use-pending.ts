import { useCallback, useState } from 'react';
import { errorText } from './errors';

/** Runs one call at a time and keeps what went wrong, for forms that do without the GraphQL client. */
export function usePending() {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const run = useCallback(async (call: () => Promise<void>) => {
    setPending(true);
    setError(undefined);
    try {
      await call();
    } catch (cause) {
      setError(errorText(cause));
    } finally {
      setPending(false);
    }
  }, []);
  return { isPending, error, setError, run };
}
