import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { Fragment, Slice } from '@remirror/pm/model';

/** Plain text that is pasted keeps its blank lines: a comment is text, and each of its lines is a paragraph of the document. */
export class PlainPaste extends PlainExtension {
  get name() {
    return 'nimoPlainPaste' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      props: {
        clipboardTextParser: (text, { doc }) => {
          const { schema } = doc.type;
          const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
          const paragraphs = lines.flatMap(
            (line) => schema.nodes['paragraph']?.create(null, line === '' ? null : schema.text(line)) ?? [],
          );
          return new Slice(Fragment.from(paragraphs), 0, 0);
        },
      },
    };
  }
}
