import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** What stands behind the # of a link that was mailed. It is taken out of the address, so that it stays in no history. */
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
