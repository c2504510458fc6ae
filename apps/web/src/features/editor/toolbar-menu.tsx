import { Menu } from '@mantine/core';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
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

/** One choice out of several. */
export function ToolbarMenu<T extends string>(props: ToolbarMenuProps<T>) {
  const { label, face, choices, current, show, onChoose } = props;
  return (
    <Menu position="bottom-start" returnFocus>
      <Menu.Target>
        <button
          type="button"
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
            role="menuitemradio"
            aria-checked={choice === current}
            className={classes.choice}
            onClick={() => onChoose(choice)}
          >
            {show(choice)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
