import { Menu } from '@mantine/core';
import type { EditorView } from '@remirror/pm/view';
import { useEditorView } from '@remirror/react';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
import { runOwnStep } from './own-step';
import classes from './toolbar.module.css';

interface ToolbarMenuProps<T extends string> {
  label: string;
  /** What the button shows: the current choice. */
  face: ReactNode;
  choices: readonly T[];
  current: T;
  show: (choice: T) => ReactNode;
  onChoose: (choice: T) => void;
}

/** After Escape the kit leaves the focus on the button of the menu, where the next key opens it again. */
export function goOnWriting(view: EditorView): void {
  setTimeout(() => {
    if (document.activeElement?.closest('[role="toolbar"]')) view.focus();
  });
}

/** One choice out of several. */
export function ToolbarMenu<T extends string>(props: ToolbarMenuProps<T>) {
  const { label, face, choices, current, show, onChoose } = props;
  const view = useEditorView();
  // The view's own focus: the library's command would set the selection anew and so forget a mark chosen at the caret.
  const choose = (choice: T) => {
    runOwnStep(view, () => onChoose(choice));
    view.focus();
  };
  return (
    <Menu position="bottom-start" returnFocus={false} onClose={() => goOnWriting(view)}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={`${classes.button} ${classes.menuButton}`}
          aria-label={label}
          title={label}
        >
          {face}
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item
            key={choice}
            aria-current={choice === current || undefined}
            className={classes.choice}
            onClick={() => choose(choice)}
          >
            {show(choice)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
