import { Kbd, Menu } from '@mantine/core';
import type { EditorView } from '@remirror/pm/view';
import {
  useActive,
  useAttrs,
  useChainedCommands,
  useCommands,
  useEditorView,
  useRemirrorContext,
} from '@remirror/react';
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isInTable } from '@remirror/pm/tables';
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs';
import {
  type CodeLanguage,
  codeLanguageNames,
  codeLanguages,
} from '../../../components/rich-text/enrich-body';
import { runUndoStep } from '../transactions';
import { palette, paletteClass } from '../extensions/palette-marks';
import type { RichTextExtension } from '../rich-text-extensions';
import classes from './toolbar.module.css';
import { type TableAction, tableKeys } from '../extensions/table-extension';

function chosen<T extends string>(values: readonly T[], value: unknown, fallback: T): T {
  return values.find((candidate) => candidate === value) ?? fallback;
}

export function FontMenu() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const current = chosen(palette.font, useAttrs<RichTextExtension>().nimoFont()?.['value'], 'sans');
  return (
    <ToolbarMenu
      label={t('font')}
      face={t(`fonts.${current}`)}
      choices={palette.font}
      current={current}
      show={(font) => <span className={paletteClass('font', font)}>{t(`fonts.${font}`)}</span>}
      onChoose={(font) => commands.chooseFont(font === 'sans' ? null : font)}
    />
  );
}

export function SizeMenu() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const current = chosen(palette.size, useAttrs<RichTextExtension>().nimoSize()?.['value'], 'normal');
  return (
    <ToolbarMenu
      label={t('size')}
      face={t(`sizes.${current}`)}
      choices={palette.size}
      current={current}
      show={(size) => <span className={paletteClass('size', size)}>{t(`sizes.${size}`)}</span>}
      onChoose={(size) => commands.chooseSize(size === 'normal' ? null : size)}
    />
  );
}

const colors = ['none', ...palette.color] as const;
type ColorChoice = (typeof colors)[number];

function colorClass(color: ColorChoice): string {
  return color === 'none' ? '' : paletteClass('color', color);
}

export function ColorMenu() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const current = chosen(colors, useAttrs<RichTextExtension>().nimoColor()?.['value'], 'none');
  return (
    <ToolbarMenu
      label={t('color')}
      face={<span className={`${classes.colorFace} ${colorClass(current)}`}>A</span>}
      choices={colors}
      current={current}
      show={(color) => (
        <span className={`${classes.colorChoice} ${colorClass(color)}`}>{t(`colors.${color}`)}</span>
      )}
      onChoose={(color) => commands.chooseColor(color === 'none' ? null : color)}
    />
  );
}

const blockTypes = ['paragraph', 'heading1', 'heading2', 'heading3', 'blockquote', 'codeBlock'] as const;
type BlockType = (typeof blockTypes)[number];

const headingLevels: Partial<Record<BlockType, number>> = { heading1: 1, heading2: 2, heading3: 3 };

function useCurrentBlockType(): BlockType {
  const active = useActive<RichTextExtension>(false);
  if (active.codeBlock()) return 'codeBlock';
  if (active.blockquote()) return 'blockquote';
  return (
    blockTypes.find((type) => headingLevels[type] && active.heading({ level: headingLevels[type] })) ??
    'paragraph'
  );
}

export function BlockTypeMenu() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const chain = useChainedCommands<RichTextExtension>();
  const current = useCurrentBlockType();
  const choose = (choice: BlockType) => {
    if (choice === current) return;
    if (current === 'blockquote') commands.toggleBlockquote();
    const level = headingLevels[choice];
    if (choice === 'blockquote') chain.convertParagraph().toggleBlockquote().run();
    else if (choice === 'codeBlock') commands.toggleCodeBlock();
    else if (level === undefined) commands.convertParagraph();
    else commands.toggleHeading({ level });
  };
  return (
    <ToolbarMenu
      label={t('blockType')}
      face={t(`blockTypes.${current}`)}
      choices={blockTypes}
      current={current}
      show={(choice) => t(`blockTypes.${choice}`)}
      onChoose={choose}
    />
  );
}

const choices = ['none', ...codeLanguageNames] as const;
type Choice = (typeof choices)[number];

/** Language of the code block at the caret. */
export function CodeLanguageMenu() {
  const { t } = useTranslation('richText', { keyPrefix: 'code' });
  const commands = useCommands<RichTextExtension>();
  const language = useAttrs<RichTextExtension>().codeBlock()?.['language'];
  const current = choices.find((choice) => choice === language) ?? 'none';
  const nameOf = (choice: Choice) =>
    choice === 'none' ? t('plain') : codeLanguages[choice satisfies CodeLanguage];
  return (
    <ToolbarMenu
      label={t('language')}
      face={nameOf(current)}
      choices={choices}
      current={current}
      show={nameOf}
      onChoose={(choice) => commands.chooseCodeLanguage(choice === 'none' ? null : choice)}
    />
  );
}

interface ToolbarMenuProps<T extends string> {
  label: string;
  /** Content of the button: the current choice. */
  face: ReactNode;
  choices: readonly T[];
  current: T;
  show: (choice: T) => ReactNode;
  onChoose: (choice: T) => void;
}

/** Mantine focuses the menu button after Escape, where the next key would reopen the menu. */
function returnToText(view: EditorView): void {
  setTimeout(() => {
    if (document.activeElement?.closest('[role="toolbar"]')) view.focus();
  });
}

/** Menu with a single choice. */
export function ToolbarMenu<T extends string>(props: ToolbarMenuProps<T>) {
  const { label, face, choices, current, show, onChoose } = props;
  const view = useEditorView();
  // Not Remirror's `focus` command: it resets the selection, which loses a mark set at the caret.
  const choose = (choice: T) => {
    runUndoStep(view, () => onChoose(choice));
    view.focus();
  };
  return (
    <Menu position="bottom-start" returnFocus={false} onClose={() => returnToText(view)}>
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

const groups: readonly (readonly TableAction[])[] = [
  ['rowAbove', 'rowBelow', 'columnLeft', 'columnRight'],
  ['headerRow'],
  ['deleteRow', 'deleteColumn', 'deleteTable'],
];

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
const keySymbols: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
  Shift: '⇧',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
};
const formatKeys = (keys: string): string =>
  keys
    .split('-')
    .map((key) => keySymbols[key] ?? key)
    .join(isMac ? '' : '+');

/** Inserts a table, or edits the rows, columns and header of the current one. */
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
    <Menu position="bottom-start" returnFocus={false} onClose={() => returnToText(view)}>
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
                  rightSection={tableKeys[action] && <Kbd size="xs">{formatKeys(tableKeys[action])}</Kbd>}
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
