import { useAttrs, useCommands } from '@remirror/react';
import { useTranslation } from 'react-i18next';
import {
  codeLanguageNames,
  codeLanguages,
  type CodeLanguage,
} from '../../components/rich-text/code-languages';
import type { RichTextExtension } from './rich-text-extensions';
import { ToolbarMenu } from './toolbar-menu';

const choices = ['none', ...codeLanguageNames] as const;
type Choice = (typeof choices)[number];

/** The language of the code block in which the caret is. */
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
