import { useRemirrorContext } from '@remirror/react';
import { type Ref, useCallback, useLayoutEffect, useRef } from 'react';

function assign(ref: Ref<HTMLElement>, element: HTMLElement | null): void {
  if (typeof ref === 'function') ref(element);
}

/**
 * The editable element. Remirror's own component crashes (RMR0201) when a Suspense boundary above it suspends again, because
 * React then calls the ref again with the same element. This one only passes on new elements.
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

/** Focuses the editor at once. Remirror's own `focus` waits for a frame, in which a key would be lost. */
export function FocusOnMount() {
  const { view } = useRemirrorContext();
  useLayoutEffect(() => view.focus(), [view]);
  return null;
}
