import { Button } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs';
import { forwardRef, type ReactNode } from 'react';
import type { Fold } from '../lib/use-folded';
import classes from './fold-button.module.css';

interface FoldButtonProps {
  label: string;
  /** The label with what its icon shows. */
  name?: string | undefined;
  icon?: ReactNode;
  fold: Fold;
}

/** Opens a part of a screen and folds it away. */
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
