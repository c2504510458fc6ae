import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { Fragment, Slice, type Schema } from '@remirror/pm/model';
import type { Selection } from '@remirror/pm/state';
import { formattedHtml } from '../editor/pasting/pasted-html';
import { FENCE, bodyToText } from '../questions/body-to-text';

const withoutTrailingLines = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');

/** Each line of a comment is a paragraph of its document. */
function linesSlice(text: string, schema: Schema): Slice {
  const lines = text.split('\n');
  const paragraphs = lines.flatMap(
    (line) => schema.nodes['paragraph']?.create(null, line === '' ? null : schema.text(line)) ?? [],
  );
  return Slice.maxOpen(Fragment.from(paragraphs));
}

/** A one-line code block that is the whole clipboard, such as a word copied from a code editor. */
const singleLineCode = /^\s*<pre><code[^>]*>([^\n]*)<\/code><\/pre>\s*$/;

/** Text of HTML with code, a table, a list or a formula; the plain-text clipboard would lose these. */
function richLines(html: string): string | undefined {
  const formatted = formattedHtml(html).replace(singleLineCode, '<code>$1</code>');
  return /<(?:code|pre|table|li)\b/.test(formatted)
    ? bodyToText(formatted).replaceAll('\u00a0', ' ')
    : undefined;
}

/** Puts code fences on their own lines. */
function withSeparateFences(text: string, { $from, $to }: Selection): string {
  const before = text.startsWith(FENCE) && $from.parentOffset > 0 ? '\n' : '';
  const after = text.endsWith(FENCE) && $to.parentOffset < $to.parent.content.size ? '\n' : '';
  return before + text + after;
}

/** Converts pasted content to text: keeps blank lines, marks code and formulas. Ctrl+Shift+V pastes plain text. */
export class PlainPaste extends PlainExtension {
  get name() {
    return 'nimoPlainPaste' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      props: {
        clipboardTextParser: (text, { doc }) => linesSlice(withoutTrailingLines(text), doc.type.schema),
        // ProseMirror parses the HTML before `handlePaste`, and inline styles would violate the page's CSP.
        transformPastedHTML: (html) => formattedHtml(html),
        handlePaste: (view, { clipboardData }) => {
          const html = clipboardData?.getData('text/html') ?? '';
          const isPlain = (view as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
          if (html === '' || isPlain) return false;
          const bareText = clipboardData?.getData('text/plain') ?? '';
          // ProseMirror pastes its own clipboard, which keeps the mentions.
          const text = richLines(html) ?? (html.includes('data-pm-slice') ? '' : bareText);
          if (text === '') return false;
          view.dispatch(
            view.state.tr
              .replaceSelection(
                linesSlice(
                  withSeparateFences(withoutTrailingLines(text), view.state.selection),
                  view.state.schema,
                ),
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
