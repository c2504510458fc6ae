import { useRemirrorContext } from '@remirror/react';
import { useLayoutEffect } from 'react';

/** The library's own way waits for a frame, in which a key would be lost. */
export function FocusNow() {
  const { view } = useRemirrorContext();
  useLayoutEffect(() => view.focus(), [view]);
  return null;
}
