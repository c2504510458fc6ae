import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Token in the fragment of an emailed link, removed from the URL so that it stays out of the history. */
export function useLinkToken(): string | undefined {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  useEffect(() => {
    if (hash === '') return;
    setToken(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return token === '' ? undefined : token;
}
