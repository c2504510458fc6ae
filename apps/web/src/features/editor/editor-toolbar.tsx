import { useActive, useAttrs, useCommands } from '@remirror/react';
import IconAlignCenter from '@tabler/icons-react/dist/esm/icons/IconAlignCenter.mjs';
import IconAlignJustified from '@tabler/icons-react/dist/esm/icons/IconAlignJustified.mjs';
import IconAlignLeft from '@tabler/icons-react/dist/esm/icons/IconAlignLeft.mjs';
import IconAlignRight from '@tabler/icons-react/dist/esm/icons/IconAlignRight.mjs';
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs';
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs';
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs';
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs';
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs';
import IconStrikethrough from '@tabler/icons-react/dist/esm/icons/IconStrikethrough.mjs';
import IconUnderline from '@tabler/icons-react/dist/esm/icons/IconUnderline.mjs';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockTypeMenu } from './block-type-menu';
import { EmojiPicker } from './emoji-picker';
import { LinkControl } from './link-control';
import { palette } from './palette';
import { ColorMenu, FontMenu, SizeMenu } from './palette-menus';
import type { RichTextExtension } from './rich-text-extensions';
import classes from './toolbar.module.css';
import { ToolbarButton } from './toolbar-button';

function InlineGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const active = useActive<RichTextExtension>();
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
    </div>
  );
}

function ListGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const active = useActive<RichTextExtension>();
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

function AlignGroup() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const commands = useCommands<RichTextExtension>();
  const attrs = useAttrs();
  const current = attrs.paragraph()?.['align'] ?? attrs.heading()?.['align'] ?? 'left';
  return (
    <div className={classes.group} role="group" aria-label={t('align')}>
      {palette.align.map((side) => (
        <ToolbarButton
          key={side}
          label={t(`alignments.${side}`)}
          icon={alignIcons[side]}
          active={current === side}
          onRun={() => commands.align(side === 'left' ? null : side)}
        />
      ))}
    </div>
  );
}

/** The arrow keys go along the buttons as well. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(`.${classes.button}`)];
  const index = buttons.findIndex((button) => button === document.activeElement);
  if (index < 0) return;
  event.preventDefault();
  buttons[(index + step + buttons.length) % buttons.length]?.focus();
}

export function EditorToolbar() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar')} onKeyDown={moveFocus}>
      <BlockTypeMenu />
      <FontMenu />
      <SizeMenu />
      <InlineGroup />
      <ColorMenu />
      <ListGroup />
      <AlignGroup />
      <div className={classes.group}>
        <LinkControl />
        <EmojiPicker />
      </div>
    </div>
  );
}
