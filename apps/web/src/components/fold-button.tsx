import { Button } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs';
import { forwardRef, type ReactNode, useCallback, useId, useState } from 'react';
import classes from './fold-button.module.css';

interface FoldButtonProps {
  label: string;
  /** Accessible label, including what the icon shows. */
  name?: string | undefined;
  icon?: ReactNode;
  fold: Fold;
}

/** Expands and collapses a part of a screen. */
export const FoldButton = forwardRef<HTMLButtonElement, FoldButtonProps>(function FoldButton(
  { label, name, icon, fold: { id, isFolded, toggle } },
  ref,
) {
  const Chevron = isFolded ? IconChevronDown : IconChevronUp;
  return (
    <Button
      ref={ref}
      classNames={{ root: classes.button ?? '', label: classes.label ?? '' }}
      variant={isFolded ? 'default' : 'light'}
      size="sm"
      leftSection={icon}
      rightSection={<Chevron size={16} stroke={1.75} aria-hidden />}
      aria-label={name}
      aria-expanded={!isFolded}
      aria-controls={isFolded ? undefined : id}
      title={label}
      onClick={toggle}
    >
      {label}
    </Button>
  );
});

export interface Fold {
  /** The element that is collapsed. */
  id: string;
  isFolded: boolean;
  toggle: () => void;
}

/** State of a part that starts collapsed; this browser remembers which parts are open. */
export function useFolded(name: string): Fold {
  const id = useId();
  const key = `folded:${name}`;
  const [isFolded, setFolded] = useState(() => localStorage.getItem(key) !== 'false');
  const toggle = useCallback(() => {
    localStorage.setItem(key, String(!isFolded));
    setFolded(!isFolded);
  }, [key, isFolded]);
  return { id, isFolded, toggle };
}
