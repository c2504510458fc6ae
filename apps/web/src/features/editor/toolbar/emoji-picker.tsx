import { useCommands } from '@remirror/react';
import IconMoodSmile from '@tabler/icons-react/dist/esm/icons/IconMoodSmile.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { English } from '../../../generated/english';
import type { RichTextExtension } from '../rich-text-extensions';
import { ToolbarPopover } from './toolbar-popover';
import classes from './toolbar.module.css';

/** Inserts emoji as plain characters. */
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

/** Emoji on offer, with the key of their name in the catalogue. */
const emoji: ReadonlyArray<{ character: string; name: keyof English['emoji'] }> = [
  { character: '😀', name: 'grinning' },
  { character: '😄', name: 'laughing' },
  { character: '😂', name: 'tearsOfJoy' },
  { character: '😉', name: 'winking' },
  { character: '😊', name: 'smiling' },
  { character: '😍', name: 'heartEyes' },
  { character: '🤔', name: 'thinking' },
  { character: '😅', name: 'relieved' },
  { character: '😎', name: 'cool' },
  { character: '🙃', name: 'upsideDown' },
  { character: '😕', name: 'confused' },
  { character: '😢', name: 'crying' },
  { character: '😭', name: 'sobbing' },
  { character: '😮', name: 'surprised' },
  { character: '🤯', name: 'mindBlown' },
  { character: '😴', name: 'sleeping' },
  { character: '🤗', name: 'hugging' },
  { character: '🙄', name: 'rollingEyes' },
  { character: '😬', name: 'grimacing' },
  { character: '🥳', name: 'party' },
  { character: '👍', name: 'thumbsUp' },
  { character: '👎', name: 'thumbsDown' },
  { character: '👏', name: 'clapping' },
  { character: '🙌', name: 'raisedHands' },
  { character: '🙏', name: 'thankYou' },
  { character: '💪', name: 'strong' },
  { character: '👀', name: 'eyes' },
  { character: '🤝', name: 'handshake' },
  { character: '✌️', name: 'victory' },
  { character: '👋', name: 'waving' },
  { character: '❤️', name: 'heart' },
  { character: '🔥', name: 'fire' },
  { character: '⭐', name: 'star' },
  { character: '✨', name: 'sparkles' },
  { character: '💡', name: 'idea' },
  { character: '🎉', name: 'celebration' },
  { character: '🏆', name: 'trophy' },
  { character: '🎓', name: 'graduationCap' },
  { character: '📚', name: 'books' },
  { character: '📝', name: 'memo' },
  { character: '📐', name: 'setSquare' },
  { character: '📏', name: 'ruler' },
  { character: '🧮', name: 'abacus' },
  { character: '🔬', name: 'microscope' },
  { character: '🔭', name: 'telescope' },
  { character: '🧪', name: 'testTube' },
  { character: '🧬', name: 'dna' },
  { character: '⚗️', name: 'alembic' },
  { character: '🌍', name: 'globe' },
  { character: '🌱', name: 'seedling' },
  { character: '⚡', name: 'lightning' },
  { character: '🧲', name: 'magnet' },
  { character: '💻', name: 'computer' },
  { character: '⏰', name: 'alarmClock' },
  { character: '✅', name: 'checkMark' },
  { character: '❌', name: 'crossMark' },
  { character: '❓', name: 'questionMark' },
  { character: '❗', name: 'exclamationMark' },
  { character: '➕', name: 'plus' },
  { character: '➖', name: 'minus' },
];
