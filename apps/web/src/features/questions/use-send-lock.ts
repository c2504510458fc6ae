import { useLayoutEffect, useRef } from 'react';

export interface Sending {
  /** From Submit on, pictures that are on their way included. */
  isSaving: boolean;
  /** The text is out: nothing more can be added to it. */
  isSending: boolean;
  /** It was to be sent, and the connection was lost. */
  isUnsent: boolean;
}

/** Closes the fields of a form while they are sent. The form keeps the focus meanwhile, and gives it back where nothing was sent. */
export function useSendLock({ isSaving, isSending }: Pick<Sending, 'isSaving' | 'isSending'>) {
  const form = useRef<HTMLFormElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const left = useRef<HTMLElement>();
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const isClosed =
      focused instanceof HTMLElement &&
      (fields.current?.contains(focused) ? isSending : focused.matches(':disabled'));
    if (isSaving && isClosed && form.current?.contains(focused)) {
      left.current = focused;
      form.current.focus({ preventScroll: true });
    }
    fields.current?.toggleAttribute('inert', isSending);
    if (isSaving) return;
    if (focused === form.current) left.current?.focus({ preventScroll: true });
    left.current = undefined;
  }, [isSaving, isSending]);
  return { form, fields };
}
