import { Tooltip } from '@mantine/core';
import { useEditorView } from '@remirror/react';
import type { Icon } from '@tabler/icons-react';
import { runOwnStep } from './own-step';
import classes from './toolbar.module.css';

interface ToolbarButtonProps {
  label: string;
  icon: Icon;
  /** Only of a button that stays pressed. */
  active?: boolean;
  onRun: () => void;
}

/** Switches one thing on or off, or does it once. Pressing it leaves the selection of the document alone. */
export function ToolbarButton({ label, icon: ButtonIcon, active, onRun }: ToolbarButtonProps) {
  const view = useEditorView();
  return (
    <Tooltip label={label}>
      <button
        type="button"
        tabIndex={-1}
        className={classes.button}
        aria-label={label}
        aria-pressed={active}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => runOwnStep(view, onRun)}
      >
        <ButtonIcon size={18} stroke={1.75} aria-hidden />
      </button>
    </Tooltip>
  );
}
