import type { ReactExtensions } from '@remirror/react';
import {
  BlockquoteExtension,
  BoldExtension,
  BulletListExtension,
  CodeExtension,
  DropCursorExtension,
  HeadingExtension,
  HorizontalRuleExtension,
  ItalicExtension,
  OrderedListExtension,
  StrikeExtension,
  SubExtension,
  SupExtension,
  TrailingNodeExtension,
  UnderlineExtension,
} from 'remirror/extensions';
import { AlignExtension } from './align-extension';
import { AutoFormatExtension } from './auto-format-extension';
import { CodeBlock } from './code-block-extension';
import { BlockFormula, InlineFormula } from './formula-extensions';
import { LineBreak } from './line-break-extension';
import { LiteralDollar } from './literal-dollars';
import { SafeLinkExtension } from './link-extension';
import { PasteExtension } from './paste-extension';
import { Picture } from './picture-extension';
import type { PictureUploads } from './picture-uploads';
import { documentOf } from './rich-text-content';
import { tableExtensions } from './table-extension';
import { ColorMark, FontMark, SizeMark } from './palette-marks';

/**
 * For every editor of rich text. The libraries' own rules take signs away that somebody typed: formatting is that of
 * `AutoFormatExtension` and of the toolbar.
 */
export const richTextSettings = {
  exclude: { inputRules: true, pasteRules: true },
  stringHandler: documentOf,
} as const;

/**
 * Everything that a body may contain.
 *
 * @param uploads where pictures that are put in go; without it none are
 */
export function richTextExtensions(uploads?: PictureUploads) {
  const picture = new Picture({});
  picture.uploads = uploads;
  return [
    new BoldExtension({}),
    new ItalicExtension({}),
    new UnderlineExtension({}),
    new StrikeExtension({}),
    new CodeExtension({}),
    new SubExtension({}),
    new SupExtension({}),
    new HeadingExtension({ levels: [1, 2, 3, 4, 5, 6] }),
    new BlockquoteExtension({}),
    new InlineFormula({}),
    new BlockFormula({}),
    new CodeBlock({}),
    new BulletListExtension({}),
    new OrderedListExtension({}),
    new LineBreak({}),
    new HorizontalRuleExtension({}),
    new SafeLinkExtension({ defaultProtocol: 'https:' }),
    new FontMark({}),
    new SizeMark({}),
    new ColorMark({}),
    new LiteralDollar({}),
    new AlignExtension({}),
    picture,
    ...tableExtensions(),
    new AutoFormatExtension({}),
    new PasteExtension({}),
    new DropCursorExtension({}),
    new TrailingNodeExtension({}),
  ];
}

export type RichTextExtension = ReactExtensions<ReturnType<typeof richTextExtensions>[number]>;
