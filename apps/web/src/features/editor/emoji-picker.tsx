import { useCommands } from '@remirror/react';
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emoji } from './emoji';
import type { RichTextExtension } from './rich-text-extensions';
import { ToolbarPopover } from './toolbar-popover';
import classes from './toolbar.module.css';

/** Inserts the character itself: no images, no code of its own. */
export function EmojiPicker() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const { t: nameOf } = useTranslation('emoji');
  const { typeText } = useCommands<RichTextExtension>();
  const [opened, setOpened] = useState(false);
  return (
    <ToolbarPopover
      label={t('emoji')}
      icon={<IconMoodSmile size={18} stroke={1.75} aria-hidden />}
      opened={opened}
      onChange={setOpened}
      dropdownClass={classes.emojiGrid}
    >
      {(done) =>
        emoji.map(({ character, name }) => (
          <button
            key={character}
            type="button"
            className={classes.emoji}
            aria-label={nameOf(name)}
            title={nameOf(name)}
            onClick={() => {
              typeText(character);
              done();
            }}
          >
            {character}
          </button>
        ))
      }
    </ToolbarPopover>
  );
}
