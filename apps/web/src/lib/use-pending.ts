import { useCallback, useState } from 'react';
import { errorText, isUndecided } from './errors';

/** Runs one call at a time and keeps what went wrong, for forms that do without the GraphQL client. */
export function usePending() {
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  /** The last call was not decided, so that the same may be tried again. */
  const [isLost, setLost] = useState(false);
  const run = useCallback(async (call: () => Promise<unknown>) => {
    setPending(true);
    setError(undefined);
    setLost(false);
    try {
      await call();
    } catch (cause) {
      setError(errorText(cause));
      setLost(isUndecided(cause));
    } finally {
      setPending(false);
    }
  }, []);
  return { isPending, error, isLost, setError, run };
}
