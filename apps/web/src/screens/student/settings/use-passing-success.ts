import { useCallback, useEffect, useState } from 'react';
import { timings } from '../../../lib/timings';

/** A success message that clears by itself. */
export function usePassingSuccess() {
  // An object each time, so that a second success is shown as long as the first.
  const [success, setSuccess] = useState<{ message: string }>();
  useEffect(() => {
    if (!success) return undefined;
    const timer = setTimeout(() => setSuccess(undefined), timings.successMessage);
    return () => clearTimeout(timer);
  }, [success]);
  const show = useCallback((message: string) => setSuccess({ message }), []);
  const clear = useCallback(() => setSuccess(undefined), []);
  return { success: success?.message, show, clear };
}
