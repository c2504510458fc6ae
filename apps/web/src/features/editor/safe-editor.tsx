import { useRemirrorContext } from '@remirror/react';
import { type Ref, useCallback, useLayoutEffect, useRef } from 'react';

function assign(ref: Ref<HTMLElement>, element: HTMLElement | null): void {
  if (typeof ref === 'function') ref(element);
}

/**
 * Where the document is edited. The library's own component crashes (RMR0201) when a Suspense boundary above it suspends
 * again: React then calls the ref a second time with the same element. So the ref is passed on only for another element.
 */
export function SafeEditor({ className }: { className: string | undefined }) {
  const { getRootProps } = useRemirrorContext();
  const { ref, key, ...rest } = getRootProps();
  const last = useRef<HTMLElement | null>(null);
  const latestRef = useRef<Ref<HTMLElement>>(ref);
  latestRef.current = ref as Ref<HTMLElement>;
  const attach = useCallback((element: HTMLElement | null) => {
    if (element === null || element === last.current) return;
    last.current = element;
    assign(latestRef.current, element);
  }, []);
  return <div key={key} {...rest} ref={attach} className={className} />;
}

/** The library's own way waits for a frame, in which a key would be lost. */
export function FocusNow() {
  const { view } = useRemirrorContext();
  useLayoutEffect(() => view.focus(), [view]);
  return null;
}
