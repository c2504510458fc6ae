import { useActive, useChainedCommands, useCommands } from '@remirror/react';
import { useTranslation } from 'react-i18next';
import type { RichTextExtension } from './rich-text-extensions';
import { ToolbarMenu } from './toolbar-menu';

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
