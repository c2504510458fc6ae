import { useAttrs, useCommands } from '@remirror/react';
import { useTranslation } from 'react-i18next';
import { palette, paletteClass } from './palette';
import type { RichTextExtension } from './rich-text-extensions';
import { ToolbarMenu } from './toolbar-menu';
import classes from './toolbar.module.css';

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
