import {
  type ApplySchemaAttributes,
  type CommandFunction,
  ExtensionTag,
  MarkExtension,
  type MarkExtensionSpec,
  type MarkSpecOverride,
  type MarkType,
} from '@remirror/core';

type MarkGroup = Exclude<PaletteGroup, 'align'>;

function paletteMarkSpec(
  group: MarkGroup,
  extra: ApplySchemaAttributes,
  override: MarkSpecOverride,
): MarkExtensionSpec {
  return {
    ...override,
    attrs: { ...extra.defaults(), value: { default: null } },
    // `consuming: false` lets one span carry font, size and colour.
    parseDOM: [
      {
        tag: `span[class*="nimo-${group}-"]`,
        consuming: false,
        getAttrs: (element) => {
          const value = element instanceof Element ? paletteValueOf(group, element) : null;
          return value === null ? false : { ...extra.parse(element), value };
        },
      },
    ],
    toDOM: (mark) => [
      'span',
      { ...extra.dom(mark), class: paletteClass(group, mark.attrs['value'] as PaletteValue<MarkGroup>) },
      0,
    ],
  };
}

/** Replaces the mark on the selection, or sets it for the next input at the caret. */
function choose(type: MarkType, value: string | null): CommandFunction {
  return ({ tr, dispatch }) => {
    const mark = value === null ? null : type.create({ value });
    if (tr.selection.empty) {
      tr.removeStoredMark(type);
      if (mark) tr.addStoredMark(mark);
    } else {
      for (const { $from, $to } of tr.selection.ranges) {
        tr.removeMark($from.pos, $to.pos, type);
        if (mark) tr.addMark($from.pos, $to.pos, mark);
      }
    }
    dispatch?.(tr);
    return true;
  };
}

export class FontMark extends MarkExtension {
  get name() {
    return 'nimoFont' as const;
  }
  override createTags() {
    return [ExtensionTag.FormattingMark];
  }
  createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    return paletteMarkSpec('font', extra, override);
  }
  override createCommands() {
    return { chooseFont: (value: PaletteValue<'font'> | null) => choose(this.type, value) };
  }
}

export class SizeMark extends MarkExtension {
  get name() {
    return 'nimoSize' as const;
  }
  override createTags() {
    return [ExtensionTag.FormattingMark];
  }
  createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    return paletteMarkSpec('size', extra, override);
  }
  override createCommands() {
    return { chooseSize: (value: PaletteValue<'size'> | null) => choose(this.type, value) };
  }
}

export class ColorMark extends MarkExtension {
  get name() {
    return 'nimoColor' as const;
  }
  override createTags() {
    return [ExtensionTag.FormattingMark];
  }
  createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    return paletteMarkSpec('color', extra, override);
  }
  override createCommands() {
    return { chooseColor: (value: PaletteValue<'color'> | null) => choose(this.type, value) };
  }
}

/**
 * Choices of the editor's toolbar. Stored as classes `nimo-<group>-<value>`, never as styles: the content security
 * policy forbids inline styles, and the API's sanitiser keeps exactly these classes.
 */
export const palette = {
  font: ['sans', 'serif', 'mono'],
  size: ['small', 'normal', 'large', 'huge'],
  color: ['gray', 'red', 'orange', 'green', 'teal', 'blue', 'violet', 'pink'],
  align: ['left', 'center', 'right', 'justify'],
} as const;

type PaletteGroup = keyof typeof palette;
export type PaletteValue<G extends PaletteGroup> = (typeof palette)[G][number];

export function paletteClass<G extends PaletteGroup>(group: G, value: PaletteValue<G>): string {
  return `nimo-${group}-${value}`;
}

/** Value of an element's class in the group, or null. */
export function paletteValueOf<G extends PaletteGroup>(group: G, element: Element): PaletteValue<G> | null {
  const values: readonly PaletteValue<G>[] = palette[group];
  return values.find((value) => element.classList.contains(paletteClass(group, value))) ?? null;
}
