import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * The address goes ahead of the screen while the next screen is loaded, and what still shows has been left already.
 *
 * @returns whether that is so at the moment of the call
 */
export function useIsLeft(): () => boolean {
  const { pathname } = useLocation();
  const shown = useRef<string>(undefined);
  useEffect(() => {
    shown.current = window.location.pathname;
  }, [pathname]);
  return () => shown.current !== undefined && shown.current !== window.location.pathname;
}
