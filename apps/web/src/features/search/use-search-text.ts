import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { timings } from '../../lib/timings';
import { textFrom, withText } from './search-address';

/**
 * What is typed into the search box. The address of the search page follows after a pause, and the box follows the address
 * when that changes by itself.
 */
export function useSearchText() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isOnPage = pathname === paths.search;
  const addressed = isOnPage ? textFrom(new URLSearchParams(search)) : '';
  const [text, setText] = useState(addressed);
  const sent = useRef<string>();
  useEffect(() => {
    if (sent.current !== addressed) setText(addressed);
    sent.current = undefined;
  }, [addressed]);
  const follow = (typed: string) => {
    sent.current = typed.trim();
    const params = withText(new URLSearchParams(isOnPage ? search : ''), sent.current);
    void navigate({ pathname: paths.search, search: params.toString() }, { replace: isOnPage });
  };
  // Somebody who went elsewhere before the pause was over is not brought back.
  const followAfterPause = useDebouncedCallback((typed: string) => {
    if (isOnPage) follow(typed);
  }, timings.suggestionDebounce);
  const change = (typed: string) => {
    setText(typed);
    if (isOnPage) followAfterPause(typed);
    else follow(typed);
  };
  return { text, change };
}
