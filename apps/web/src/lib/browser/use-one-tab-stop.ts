import { useEffect, useRef, type RefObject } from 'react';

export const focusable = 'a[href], button:not([disabled]), input:not([disabled])';

/**
 * Roving tabindex: a row of controls is one tab stop, and the arrow keys, Home and End move within it. The control
 * focused last is the stop.
 */
export function useOneTabStop<T extends HTMLElement>(): RefObject<T> {
  const row = useRef<T>(null);
  // The controls change with every render.
  useEffect(() => {
    const controls = controlsOf(row.current);
    const stop =
      controls.find((control) => control.tabIndex === 0 && control.dataset['stop'] === 'true') ?? controls[0];
    if (stop) makeStop(controls, stop);
  });
  useEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const walk = (event: KeyboardEvent) => {
      const controls = controlsOf(element);
      const next = neighbour(controls, event);
      if (!next) return;
      event.preventDefault();
      makeStop(controls, next);
      next.focus();
    };
    const follow = ({ target }: FocusEvent) => {
      const controls = controlsOf(element);
      const focused = controls.find((control) => control === target);
      if (focused) makeStop(controls, focused);
    };
    element.addEventListener('keydown', walk);
    element.addEventListener('focusin', follow);
    return () => {
      element.removeEventListener('keydown', walk);
      element.removeEventListener('focusin', follow);
    };
  });
  return row;
}

const controlsOf = (row: HTMLElement | null): HTMLElement[] => [
  ...(row?.querySelectorAll<HTMLElement>(focusable) ?? []),
];

function makeStop(controls: readonly HTMLElement[], stop: HTMLElement): void {
  for (const control of controls) {
    control.tabIndex = control === stop ? 0 : -1;
    control.dataset['stop'] = String(control === stop);
  }
}

function neighbour(
  controls: readonly HTMLElement[],
  { key, target }: KeyboardEvent,
): HTMLElement | undefined {
  const at = controls.findIndex((control) => control === target);
  if (at === -1) return undefined;
  const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const backward = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
  switch (key) {
    case forward:
      return controls[at + 1];
    case backward:
      return controls[at - 1];
    case 'Home':
      return controls[0];
    case 'End':
      return controls.at(-1);
    default:
      return undefined;
  }
}
