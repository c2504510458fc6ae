import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

const pause = 250;

/** What is being looked for, and what of it is asked: not each letter is a request. */
export function useSearchText() {
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), pause);
  return { text, setText, asked };
}
