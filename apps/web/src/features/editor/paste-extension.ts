import { PlainExtension, type CreateExtensionPlugin } from '@remirror/core';
import { DOMParser as DocumentParser, Slice, type Node as ProsemirrorNode } from '@remirror/pm/model';
import { isInTable } from '@remirror/pm/tables';
import { closeStep } from './own-step';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';
import { pastedHtml } from './pasted-html';
import { pastedText } from './pasted-text';

/** Whether a pasted block may become one with that of the caret, where all but words would lose what they are. */
function goesOn(block: ProsemirrorNode | null, parent: ProsemirrorNode): boolean {
  const name = block?.type.name ?? '';
  return name === 'paragraph' || (parent.content.size === 0 && name !== 'codeBlock' && name !== 'table');
}

/** What is pasted comes in clean, in one step that can be undone. Ctrl+Shift+V pastes the bare text. */
export class PasteExtension extends PlainExtension {
  get name() {
    return 'nimoPaste' as const;
  }
  override createPlugin(): CreateExtensionPlugin {
    return {
      props: {
        transformPastedHTML: (html) => pastedHtml(html),
        clipboardTextParser: (text, $context, isBare) => pastedText(text, $context, isBare),
        handlePaste: (view, event) => {
          // A step of its own: to take it back leaves what was typed just before, and another step what is typed at once.
          closeStep(view);
          queueMicrotask(() => view.isDestroyed || closeStep(view));
          const data = event.clipboardData;
          const text = data?.getData('text/plain') ?? '';
          const isPlain = (view as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
          if (!data || isPlain || data.getData('text/html') !== '' || data.files.length > 0) return false;
          const { $from } = view.state.selection;
          if ($from.parent.type.spec.code || $from.marks().some(({ type }) => type.name === 'code'))
            return false;
          if (!looksLikeMarkdown(text)) return false;
          const { body } = new DOMParser().parseFromString(pastedHtml(markdownHtml(text)), 'text/html');
          // No table in a table: it would tear the outer one apart.
          if (isInTable(view.state) && body.querySelector('table')) return false;
          const { content } = DocumentParser.fromSchema(view.state.schema).parse(body, {
            preserveWhitespace: true,
          });
          const { openStart, openEnd } = Slice.maxOpen(content);
          const slice = new Slice(
            content,
            goesOn(content.firstChild, $from.parent) ? openStart : 0,
            goesOn(content.lastChild, $from.parent) ? openEnd : 0,
          );
          view.dispatch(
            view.state.tr
              .replaceSelection(slice)
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
