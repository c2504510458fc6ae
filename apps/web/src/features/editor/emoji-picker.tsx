import { Popover } from '@mantine/core';
import { useCommands } from '@remirror/react';
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { emoji } from './emoji';
import classes from './toolbar.module.css';

/** Inserts the character itself: no images, no code of its own. */
export function EmojiPicker() {
  const { t } = useTranslation('ask', { keyPrefix: 'editor' });
  const { t: nameOf } = useTranslation('emoji');
  const { insertText, focus } = useCommands();
  const [opened, setOpened] = useState(false);
  const insert = (character: string) => {
    insertText(character);
    setOpened(false);
    focus();
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      position="bottom-end"
      withRoles={false}
    >
      <Popover.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.button}
          aria-label={t('emoji')}
          title={t('emoji')}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconMoodSmile size={18} stroke={1.75} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('emoji')} className={classes.emojiGrid}>
        {emoji.map(({ character, name }) => (
          <button
            key={character}
            type="button"
            className={classes.emoji}
            aria-label={nameOf(name)}
            title={nameOf(name)}
            onClick={() => insert(character)}
          >
            {character}
          </button>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}
