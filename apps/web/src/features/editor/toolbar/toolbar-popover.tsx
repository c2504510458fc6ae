import { Popover, Tooltip } from '@mantine/core';
import { useEditorView, useKeymap, useRemirrorContext } from '@remirror/react';
import type { Icon } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { ProsemirrorNode } from '@remirror/core';
import { type EditorState, NodeSelection } from '@remirror/pm/state';
import { runUndoStep } from '../transactions';
import classes from './toolbar.module.css';

interface ToolbarPopoverProps {
  label: string;
  icon: ReactNode;
  opened: boolean;
  onChange: (opened: boolean) => void;
  isPressed?: boolean;
  width?: number;
  dropdownClass?: string;
  /** @param done closes the popover and returns the focus to the text */
  children: (done: () => void) => ReactNode;
}

/** A small form of the toolbar. Submitting it or pressing Escape returns the focus to the text. */
export function ToolbarPopover(props: ToolbarPopoverProps) {
  const { label, icon, opened, onChange, isPressed, width, dropdownClass, children } = props;
  const view = useEditorView();
  const button = useRef<HTMLButtonElement>(null);
  // If opened from the text, the button may be scrolled out of view.
  useEffect(() => {
    if (opened) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [opened]);
  const done = useCallback(() => {
    onChange(false);
    view.focus();
  }, [onChange, view]);
  const leave = ({ key }: KeyboardEvent) => {
    if (key === 'Escape' && opened) done();
  };
  // The form gets the focus a moment after it opens: until then, Escape reaches the text.
  useKeymap(
    'Escape',
    useCallback(() => {
      // Deferred: the composer ignores Escape only while a popover is open.
      if (opened) setTimeout(done);
      return opened;
    }, [opened, done]),
  );
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      trapFocus
      closeOnEscape={false}
      hideDetached={false}
      position="bottom-start"
      withRoles={false}
      {...(width !== undefined && { width })}
    >
      <Popover.Target>
        <button
          ref={button}
          type="button"
          tabIndex={-1}
          className={classes.button}
          aria-label={label}
          title={label}
          aria-pressed={isPressed}
          aria-expanded={opened}
          onClick={() => onChange(!opened)}
          onKeyDown={leave}
        >
          {icon}
        </button>
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={label}
        maw="calc(100vw - 1rem)"
        className={dropdownClass}
        onKeyDown={leave}
      >
        {children(done)}
      </Popover.Dropdown>
    </Popover>
  );
}

interface ToolbarButtonProps {
  label: string;
  icon: Icon;
  /** Set for toggle buttons only. */
  active?: boolean;
  onRun: () => void;
}

/** Toggles a format or runs a command. Keeps the document's selection. */
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
        onClick={() => runUndoStep(view, onRun)}
      >
        <ButtonIcon size={18} stroke={1.75} aria-hidden />
      </button>
    </Tooltip>
  );
}

type Fits = (node: ProsemirrorNode) => boolean;

function selectedNode({ selection }: EditorState, fits: Fits): ProsemirrorNode | undefined {
  return selection instanceof NodeSelection && fits(selection.node) ? selection.node : undefined;
}

/** The selected node, if it fits. */
export function useSelectedNode(fits: Fits): ProsemirrorNode | undefined {
  return selectedNode(useRemirrorContext().getState(), fits);
}

/** Opens the form of a node on click, or on Enter while it is selected. */
export function useOpenOnNode(selector: string, fits: Fits, open: () => void): void {
  const { dom } = useEditorView();
  useEffect(() => {
    const handle = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(selector)) open();
    };
    dom.addEventListener('click', handle);
    return () => dom.removeEventListener('click', handle);
  }, [dom, selector, open]);
  useKeymap(
    'Enter',
    useCallback(
      ({ state }) => {
        const isSelected = selectedNode(state, fits) !== undefined;
        if (isSelected) open();
        return isSelected;
      },
      [fits, open],
    ),
  );
}
