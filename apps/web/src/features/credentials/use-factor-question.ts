import { useCallback, useState } from 'react';
import { errorRule } from '../../lib/errors';

/** Whether the api wants the second factor as well, which it says when a new password is tried without. */
export function useFactorQuestion() {
  const [asksForFactor, setAsks] = useState(false);
  const asking = useCallback(async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call();
    } catch (error) {
      if (errorRule(error) === 'SECOND_FACTOR_REQUIRED') setAsks(true);
      throw error;
    }
  }, []);
  return { asksForFactor, asking };
}
