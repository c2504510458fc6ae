import { ActionIcon } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';

interface FoldButtonProps {
  /** What is folded away by it. */
  label: string;
  isFolded: boolean;
  onToggle: () => void;
}

/** Folds a part of a screen away and brings it back. */
export function FoldButton({ label, isFolded, onToggle }: FoldButtonProps) {
  const Chevron = isFolded ? IconChevronRight : IconChevronDown;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      c="dimmed"
      aria-label={label}
      title={label}
      aria-expanded={!isFolded}
      onClick={onToggle}
    >
      <Chevron size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}
