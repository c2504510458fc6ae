import { useMediaQuery } from '@mantine/hooks';
import type { EditorState } from '@remirror/pm/state';
import { useActive, useAttrs, useCommands, useRemirrorContext } from '@remirror/react';
import IconAlignCenter from '@tabler/icons-react/dist/esm/icons/IconAlignCenter.mjs';
import IconAlignJustified from '@tabler/icons-react/dist/esm/icons/IconAlignJustified.mjs';
import IconAlignLeft from '@tabler/icons-react/dist/esm/icons/IconAlignLeft.mjs';
import IconAlignRight from '@tabler/icons-react/dist/esm/icons/IconAlignRight.mjs';
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs';
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs';
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs';
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs';
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs';
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs';
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs';
import IconStrikethrough from '@tabler/icons-react/dist/esm/icons/IconStrikethrough.mjs';
import IconSubscript from '@tabler/icons-react/dist/esm/icons/IconSubscript.mjs';
import IconSuperscript from '@tabler/icons-react/dist/esm/icons/IconSuperscript.mjs';
import IconUnderline from '@tabler/icons-react/dist/esm/icons/IconUnderline.mjs';
import {
  type FocusEvent,
  type KeyboardEvent,
  startTransition,
  useCallback,
  useEffect,
  useReducer,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useIsTouched } from '../../../lib/browser/device';
import { EmojiPicker } from './emoji-picker';
import { FormulaControl } from './formula-control';
import { LinkControl } from './link-control';
import { palette } from '../extensions/palette-marks';
import {
  BlockTypeMenu,
  CodeLanguageMenu,
  ColorMenu,
  FontMenu,
  SizeMenu,
  TableControl,
  ToolbarMenu,
} from './toolbar-menus';
import { PictureControl } from './picture-control';
import type { PictureUploads } from '../picture-uploads';
import type { RichTextExtension } from '../rich-text-extensions';
import { ToolbarButton } from './toolbar-popover';
import classes from './toolbar.module.css';

function InlineGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const active = useActive<RichTextExtension>(false);
  return (
    <div className={classes.group} role="group" aria-label={t('inline')}>
      <ToolbarButton
        label={t('bold')}
        icon={IconBold}
        active={active.bold()}
        onRun={() => commands.toggleBold()}
      />
      <ToolbarButton
        label={t('italic')}
        icon={IconItalic}
        active={active.italic()}
        onRun={() => commands.toggleItalic()}
      />
      <ToolbarButton
        label={t('underline')}
        icon={IconUnderline}
        active={active.underline()}
        onRun={() => commands.toggleUnderline()}
      />
      <ToolbarButton
        label={t('strike')}
        icon={IconStrikethrough}
        active={active.strike()}
        onRun={() => commands.toggleStrike()}
      />
      <ToolbarButton
        label={t('code')}
        icon={IconCode}
        active={active.code()}
        onRun={() => commands.toggleCode()}
      />
      <ToolbarButton
        label={t('subscript')}
        icon={IconSubscript}
        active={active.sub()}
        onRun={() => commands.toggleSubscript()}
      />
      <ToolbarButton
        label={t('superscript')}
        icon={IconSuperscript}
        active={active.sup()}
        onRun={() => commands.toggleSuperscript()}
      />
    </div>
  );
}

function ListGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const active = useActive<RichTextExtension>(false);
  return (
    <div className={classes.group} role="group" aria-label={t('list')}>
      <ToolbarButton
        label={t('bulletList')}
        icon={IconList}
        active={active.bulletList()}
        onRun={() => commands.toggleBulletList()}
      />
      <ToolbarButton
        label={t('orderedList')}
        icon={IconListNumbers}
        active={active.orderedList()}
        onRun={() => commands.toggleOrderedList()}
      />
    </div>
  );
}

const alignIcons = {
  left: IconAlignLeft,
  center: IconAlignCenter,
  right: IconAlignRight,
  justify: IconAlignJustified,
};

function AlignMenu() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const attrs = useAttrs();
  const stored = attrs.paragraph()?.['align'] ?? attrs.heading()?.['align'];
  const current = palette.align.find((side) => side === stored) ?? 'left';
  const CurrentIcon = alignIcons[current];
  return (
    <ToolbarMenu
      label={t('align')}
      face={<CurrentIcon size={18} stroke={1.75} aria-hidden />}
      choices={palette.align}
      current={current}
      show={(side) => t(`alignments.${side}`)}
      onChoose={(side) => commands.align(side === 'left' ? null : side)}
    />
  );
}

function HistoryGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const { undo, redo } = useCommands<RichTextExtension>();
  return (
    <div className={classes.group}>
      <ToolbarButton label={t('undo')} icon={IconArrowBackUp} onRun={() => undo()} />
      <ToolbarButton label={t('redo')} icon={IconArrowForwardUp} onRun={() => redo()} />
    </div>
  );
}

const buttonsOf = (toolbar: HTMLElement): HTMLButtonElement[] =>
  [...toolbar.querySelectorAll('button')].filter((button) => button.closest('[data-hidden]') === null);

/** Roving tabindex: one tab stop, and the arrow keys, Home and End. Resets in code, where that button may be hidden. */
function useRovingFocus(isInCode: boolean) {
  const toolbar = useRef<HTMLDivElement>(null);
  const settle = (current: Element | undefined) => {
    const buttons = toolbar.current ? buttonsOf(toolbar.current) : [];
    const stop = buttons.find((button) => button === current) ?? buttons[0];
    buttons.forEach((button) => (button.tabIndex = button === stop ? 0 : -1));
  };
  useEffect(() => settle(undefined), [isInCode]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = buttonsOf(event.currentTarget);
    const index = buttons.findIndex((button) => button === document.activeElement);
    const count = buttons.length;
    const target = {
      ArrowRight: (index + 1) % count,
      ArrowLeft: (index - 1 + count) % count,
      Home: 0,
      End: count - 1,
    }[event.key];
    // Keys also bubble here from the toolbar's menus, which are in portals.
    if (index < 0 || target === undefined) return;
    event.preventDefault();
    buttons[target]?.focus();
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.currentTarget.contains(event.target)) settle(event.target);
  };
  return { ref: toolbar, onKeyDown, onFocus };
}

/**
 * Buttons in the specification's order; on a phone, images, formulas and lists come first. In code, the language menu replaces
 * size and font without changing the layout. Undo and redo are shown only without a keyboard.
 */
export function EditorToolbar({ uploads }: { uploads: PictureUploads | undefined }) {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  useToolbarUpdates();
  const isTouched = useIsTouched();
  const isOneRow = useMediaQuery('(width < 640px)', false, { getInitialValueInEffect: false });
  const isInCode = useActive<RichTextExtension>(false).codeBlock();
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar')} {...useRovingFocus(isInCode)}>
      {isOneRow && (
        <>
          <div className={classes.group}>
            {uploads && <PictureControl uploads={uploads} />}
            <FormulaControl />
          </div>
          <ListGroup />
        </>
      )}
      <InlineGroup />
      <BlockTypeMenu />
      <div className={classes.slot}>
        <div className={classes.group} data-hidden={isInCode || undefined}>
          <SizeMenu />
          <FontMenu />
        </div>
        {isInCode && <CodeLanguageMenu />}
      </div>
      {!isOneRow && <ListGroup />}
      <AlignMenu />
      <ColorMenu />
      <div className={classes.group}>
        <LinkControl />
        <EmojiPicker />
        {!isOneRow && <FormulaControl />}
        <TableControl />
        {!isOneRow && uploads && <PictureControl uploads={uploads} />}
      </div>
      {isTouched && <HistoryGroup />}
    </div>
  );
}

/** Key of everything the toolbar shows at a caret; undefined for a selection, which always re-renders. */
function markupAt({ selection, storedMarks }: EditorState): string | undefined {
  if (!selection.empty) return undefined;
  const { $from } = selection;
  const around = Array.from({ length: $from.depth }, (_, depth) => {
    const { type, attrs } = $from.node(depth + 1);
    return [type.name, attrs];
  });
  const marks = [storedMarks ?? $from.marks(), $from.nodeBefore?.marks, $from.nodeAfter?.marks];
  return JSON.stringify([around, marks]);
}

/** Re-renders the toolbar when the markup at the caret changes, as a transition, so that keys come first. */
function useToolbarUpdates(): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<string>(undefined);
  useRemirrorContext(
    useCallback(({ state }: { state: EditorState }) => {
      const markup = markupAt(state);
      if (markup !== undefined && markup === shown.current) return;
      shown.current = markup;
      startTransition(redraw);
    }, []),
  );
}
