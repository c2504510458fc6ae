import { PlainExtension, type CommandFunction, type SchemaAttributesObject } from '@remirror/core';
import { palette, paletteClass, paletteValueOf, type PaletteValue } from './palette';

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
export class AlignExtension extends PlainExtension {
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
