import { Kbd, Menu } from '@mantine/core';
import { isInTable } from '@remirror/pm/tables';
import { useCommands, useEditorView, useRemirrorContext } from '@remirror/react';
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs';
import { useTranslation } from 'react-i18next';
import type { RichTextExtension } from './rich-text-extensions';
import { tableKeys, type TableAction } from './table-extension';
import { goOnWriting } from './palette-menus';
import classes from './toolbar.module.css';

const groups: readonly (readonly TableAction[])[] = [
  ['rowAbove', 'rowBelow', 'columnLeft', 'columnRight'],
  ['headerRow'],
  ['deleteRow', 'deleteColumn', 'deleteTable'],
];

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const signs: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  Shift: '⇧',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
};
const shownKeys = (keys: string): string =>
  keys
    .split('-')
    .map((key) => signs[key] ?? key)
    .join(isMac ? '' : '+');

/** Puts a table in; in a table, its rows, its columns and its head. */
export function TableControl() {
  const { t } = useTranslation('richText', { keyPrefix: 'table' });
  const { insertTable, changeTable } = useCommands<RichTextExtension>();
  const isInside = isInTable(useRemirrorContext().getState());
  const view = useEditorView();
  const run = (change: () => void) => {
    change();
    view.focus();
  };
  return (
    <Menu position="bottom-start" returnFocus={false} onClose={() => goOnWriting(view)}>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.button}
          aria-label={t('control')}
          aria-pressed={isInside}
          title={t('control')}
        >
          <IconTable size={18} stroke={1.75} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {isInside ? (
          groups.map((actions, index) => (
            <div key={actions[0]} role="group">
              {index > 0 && <Menu.Divider />}
              {actions.map((action) => (
                <Menu.Item
                  key={action}
                  onClick={() => run(() => changeTable(action))}
                  rightSection={tableKeys[action] && <Kbd size="xs">{shownKeys(tableKeys[action])}</Kbd>}
                >
                  {t(action)}
                </Menu.Item>
              ))}
            </div>
          ))
        ) : (
          <Menu.Item onClick={() => run(() => insertTable())}>{t('insert')}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
