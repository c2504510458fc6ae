import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

type Change = (params: URLSearchParams) => URLSearchParams;

/** The parameters of the address. A change builds on the one before it, also where that one is not on the screen yet. */
export function useAddressParams(): [URLSearchParams, (change: Change) => void] {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const change = (next: Change) => {
    latest.current = next(latest.current);
    setParams(latest.current);
  };
  return [params, change];
}
