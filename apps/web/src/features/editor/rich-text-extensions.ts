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
  TOP_50_TLDS,
  TrailingNodeExtension,
  UnderlineExtension,
} from 'remirror/extensions';
import { AlignExtension } from './align-extension';
import { CodeBlock } from './code-block-extension';
import { BlockFormula, InlineFormula } from './formula-extensions';
import { LineBreak } from './line-break-extension';
import { SafeLinkExtension } from './link-extension';
import { PasteExtension } from './paste-extension';
import { Picture } from './picture-extension';
import type { PictureUploads } from './picture-uploads';
import { tableExtensions } from './table-extension';
import { ColorMark, FontMark, SizeMark } from './palette-marks';

// A bare word with a dot is a link only under a domain that people write: "Node.js" is not one.
const autoLinkAllowedTLDs = [...TOP_50_TLDS, 'edu', 'school', 'dev', 'app'];

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
    new SafeLinkExtension({ autoLink: true, autoLinkAllowedTLDs, defaultProtocol: 'https:' }),
    new FontMark({}),
    new SizeMark({}),
    new ColorMark({}),
    new AlignExtension({}),
    picture,
    ...tableExtensions(),
    new PasteExtension({}),
    new DropCursorExtension({}),
    new TrailingNodeExtension({}),
  ];
}

export type RichTextExtension = ReactExtensions<ReturnType<typeof richTextExtensions>[number]>;
