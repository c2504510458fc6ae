import { useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';

/** How a list is read: whoever comes back finds it as it was, further pages included; everybody else a fresh one. */
export function useListPolicy() {
  const type = useNavigationType();
  const [cameBack] = useState(type === NavigationType.Pop);
  return {
    fetchPolicy: cameBack ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  } as const;
}
