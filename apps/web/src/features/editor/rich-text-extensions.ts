import {
  type CommandFunction,
  PlainExtension,
  type SchemaAttributesObject,
  type StringHandler,
} from '@remirror/core';
import { DOMParser as DocumentParser } from '@remirror/pm/model';
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
import { AutoFormatExtension } from './extensions/auto-format-extension';
import { CodeBlock } from './extensions/code-block-extension';
import { BlockFormula, InlineFormula } from './extensions/formula-extensions';
import { LineBreak } from './extensions/line-break-extension';
import { SafeLinkExtension } from './extensions/link-extension';
import { LiteralDollar } from './extensions/literal-dollars';
import {
  ColorMark,
  FontMark,
  palette,
  paletteClass,
  type PaletteValue,
  paletteValueOf,
  SizeMark,
} from './extensions/palette-marks';
import { PasteExtension } from './pasting/paste-extension';
import { Picture } from './extensions/picture-extension';
import type { PictureUploads } from './picture-uploads';
import { tableExtensions } from './extensions/table-extension';

/**
 * Parses HTML and preserves whitespace. Remirror's own parser collapses spaces and trims lines, so opening a text would change it.
 */
// Cast: `StringHandler` has a second signature for fragments, which is not used for whole documents.
export const documentOf = (({ content, schema }) => {
  const { body } = new DOMParser().parseFromString(content, 'text/html');
  return DocumentParser.fromSchema(schema).parse(body, { preserveWhitespace: true });
}) as StringHandler;

/**
 * Settings of every rich text editor. Disables Remirror's input and paste rules, which remove typed characters:
 * only `AutoFormatExtension` and the toolbar format.
 */
export const richTextSettings = {
  exclude: { inputRules: true, pasteRules: true },
  stringHandler: documentOf,
} as const;

/**
 * Extensions for everything a body may contain.
 *
 * @param uploads accepts images; omit to allow none
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

type Align = PaletteValue<'align'>;

const alignedNodes = ['paragraph', 'heading'];

function isAlign(value: unknown): value is Align {
  return palette.align.some((align) => align === value);
}

const alignAttribute: SchemaAttributesObject = {
  default: null,
  parseDOM: (element) => paletteValueOf('align', element),
  toDOM: ({ align }) => (isAlign(align) ? ['class', paletteClass('align', align)] : null),
};

function align(value: Align | null): CommandFunction {
  return ({ tr, dispatch }) => {
    const { from, to } = tr.selection;
    const positions: number[] = [];
    tr.doc.nodesBetween(from, to, (node, position) => {
      if (alignedNodes.includes(node.type.name)) positions.push(position);
    });
    for (const position of positions) tr.setNodeAttribute(position, 'align', value);
    if (positions.length > 0) dispatch?.(tr);
    return positions.length > 0;
  };
}

/** Alignment of paragraphs and headings. */
class AlignExtension extends PlainExtension {
  get name() {
    return 'nimoAlign' as const;
  }
  override createSchemaAttributes() {
    return [{ identifiers: alignedNodes, attributes: { align: alignAttribute } }];
  }
  override createCommands() {
    return { align };
  }
}
