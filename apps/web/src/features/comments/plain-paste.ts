import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { Fragment, Slice, type Schema } from '@remirror/pm/model';
import { formattedHtml } from '../editor/pasted-html';
import { writtenLines } from '../questions/written-lines';

/** Each line of a comment is a paragraph of its document. */
function linesSlice(text: string, schema: Schema): Slice {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const paragraphs = lines.flatMap(
    (line) => schema.nodes['paragraph']?.create(null, line === '' ? null : schema.text(line)) ?? [],
  );
  return Slice.maxOpen(Fragment.from(paragraphs));
}

/** The lines of HTML that holds more than words: bare text has neither formulas nor the signs of code, and its cells run together. */
function richLines(html: string): string | undefined {
  const formatted = formattedHtml(html);
  return /<(?:code|pre|table|li)\b/.test(formatted)
    ? writtenLines(formatted).replaceAll('\u00a0', ' ')
    : undefined;
}

/** What is pasted becomes text, with blank lines, and with the signs of code and formulas. Ctrl+Shift+V pastes the bare text. */
export class PlainPaste extends PlainExtension {
  get name() {
    return 'nimoPlainPaste' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      props: {
        clipboardTextParser: (text, { doc }) => linesSlice(text, doc.type.schema),
        // The editor reads HTML before it asks how to paste it, and the page's policy would report the styles in it.
        transformPastedHTML: (html) => formattedHtml(html),
        handlePaste: (view, { clipboardData }) => {
          const html = clipboardData?.getData('text/html') ?? '';
          const isPlain = (view as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
          if (html === '' || isPlain) return false;
          const bareText = clipboardData?.getData('text/plain') ?? '';
          // A comment's own clipboard has its mentions.
          const text = richLines(html) ?? (html.includes('data-pm-slice') ? '' : bareText);
          if (text === '') return false;
          view.dispatch(
            view.state.tr
              .replaceSelection(linesSlice(text, view.state.schema))
              .scrollIntoView()
              .setMeta('paste', true)
              .setMeta('uiEvent', 'paste'),
          );
          return true;
        },
      },
    };
  }
}
