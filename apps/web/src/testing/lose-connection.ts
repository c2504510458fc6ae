import { act } from '@testing-library/react';

/** @returns a function that restores the connection */
export function loseConnection(): () => void {
  const answered = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError('the connection was lost'));
  act(() => void window.dispatchEvent(new Event('offline')));
  return () => {
    globalThis.fetch = answered;
    act(() => void window.dispatchEvent(new Event('online')));
  };
}
