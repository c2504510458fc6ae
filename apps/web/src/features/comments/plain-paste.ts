import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { Fragment, Slice, type Schema } from '@remirror/pm/model';
import type { Selection } from '@remirror/pm/state';
import { formattedHtml } from '../editor/pasting/pasted-html';
import { FENCE, writtenLines } from '../questions/written-lines';

const withoutEnd = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');

/** Each line of a comment is a paragraph of its document. */
function linesSlice(text: string, schema: Schema): Slice {
  const lines = text.split('\n');
  const paragraphs = lines.flatMap(
    (line) => schema.nodes['paragraph']?.create(null, line === '' ? null : schema.text(line)) ?? [],
  );
  return Slice.maxOpen(Fragment.from(paragraphs));
}

/** A block of code that is all of the clipboard and has one line, as a word from an editor. */
const lineOfCode = /^\s*<pre><code[^>]*>([^\n]*)<\/code><\/pre>\s*$/;

/** The lines of HTML with code, a table, a list or a formula, which bare text would lose. */
function richLines(html: string): string | undefined {
  const formatted = formattedHtml(html).replace(lineOfCode, '<code>$1</code>');
  return /<(?:code|pre|table|li)\b/.test(formatted)
    ? writtenLines(formatted).replaceAll('\u00a0', ' ')
    : undefined;
}

/** Fences stand on lines of their own. */
function ownLines(text: string, { $from, $to }: Selection): string {
  const before = text.startsWith(FENCE) && $from.parentOffset > 0 ? '\n' : '';
  const after = text.endsWith(FENCE) && $to.parentOffset < $to.parent.content.size ? '\n' : '';
  return before + text + after;
}

/** Pasted content becomes text: blank lines stay, code and formulas get their signs. Ctrl+Shift+V pastes bare text. */
export class PlainPaste extends PlainExtension {
  get name() {
    return 'nimoPlainPaste' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      props: {
        clipboardTextParser: (text, { doc }) => linesSlice(withoutEnd(text), doc.type.schema),
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
              .replaceSelection(
                linesSlice(ownLines(withoutEnd(text), view.state.selection), view.state.schema),
              )
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
