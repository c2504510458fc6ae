import { type CreateExtensionPlugin, PlainExtension } from '@remirror/core';
import {
  DOMParser as DocumentParser,
  Fragment,
  type Mark,
  type Node as ProsemirrorNode,
  type ResolvedPos,
  Slice,
} from '@remirror/pm/model';
import { isInTable } from '@remirror/pm/tables';
import { findLinks } from '../../../components/rich-text/find-links';
import { findCode, splitMarkup } from '../../../components/rich-text/split-markup';
import { literalTextNodes } from '../extensions/literal-dollars';
import { closeUndoStep } from '../transactions';
import { pastedHtml } from './pasted-html';
import { looksLikeMarkdown, markdownHtml } from './pasted-markdown';
import { languageName } from '../../../components/rich-text/enrich-body';

/** Whether a pasted block may merge into the block at the caret; only paragraphs do so without losing their type. */
function canMerge(block: ProsemirrorNode | null, parent: ProsemirrorNode): boolean {
  const name = block?.type.name ?? '';
  return name === 'paragraph' || (parent.content.size === 0 && name !== 'codeBlock' && name !== 'table');
}

/** Cleans pasted content and inserts it as one undo step. Ctrl+Shift+V pastes plain text. */
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
          // Separates the paste from typing before and after it in the undo history.
          closeUndoStep(view);
          queueMicrotask(() => view.isDestroyed || closeUndoStep(view));
          const data = event.clipboardData;
          const text = data?.getData('text/plain') ?? '';
          const isPlain = (view as { input?: { shiftKey?: boolean } }).input?.shiftKey === true;
          if (!data || isPlain || data.getData('text/html') !== '' || data.files.length > 0) return false;
          const { $from } = view.state.selection;
          if ($from.parent.type.spec.code || $from.marks().some(({ type }) => type.name === 'code'))
            return false;
          if (!looksLikeMarkdown(text)) return false;
          const { body } = new DOMParser().parseFromString(pastedHtml(markdownHtml(text)), 'text/html');
          // A nested table would break the outer one.
          if (isInTable(view.state) && body.querySelector('table')) return false;
          const { content } = DocumentParser.fromSchema(view.state.schema).parse(body, {
            preserveWhitespace: true,
          });
          const { openStart, openEnd } = Slice.maxOpen(content);
          const slice = new Slice(
            content,
            canMerge(content.firstChild, $from.parent) ? openStart : 0,
            canMerge(content.lastChild, $from.parent) ? openEnd : 0,
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

/** Text nodes with line breaks and links. */
function wordNodes(words: string, marks: readonly Mark[], { doc }: ResolvedPos): ProsemirrorNode[] {
  const { schema } = doc.type;
  const { hardBreak } = schema.nodes;
  const link = schema.marks['link'];
  return words.split(/(\n)/).flatMap((line) => {
    if (line === '') return [];
    if (line === '\n' && hardBreak) return [hardBreak.create()];
    const nodes: ProsemirrorNode[] = [];
    let end = 0;
    for (const found of link ? findLinks(line) : []) {
      if (found.start > end) nodes.push(schema.text(line.slice(end, found.start), marks));
      const mark = link?.create({ href: found.href, auto: true });
      nodes.push(schema.text(line.slice(found.start, found.end), mark?.addToSet(marks)));
      end = found.end;
    }
    return end < line.length ? [...nodes, schema.text(line.slice(end), marks)] : nodes;
  });
}

function formatted(text: string, marks: readonly Mark[], $context: ResolvedPos): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { code } = schema.marks;
  const { inlineFormula } = schema.nodes;
  return splitMarkup(text).flatMap((piece) => {
    if (piece.kind === 'text') return wordNodes(piece.text, marks, $context);
    if (piece.kind === 'code') return [schema.text(piece.text, code ? [code.create()] : [])];
    return inlineFormula ? [inlineFormula.create({ source: piece.source })] : [];
  });
}

/** One paragraph per block of lines; a blank line starts a new one. */
function paragraphsOf(text: string, $context: ResolvedPos, isBare: boolean): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { paragraph, hardBreak } = schema.nodes;
  const marks = $context.marks();
  return text.split(/\n{2,}/).flatMap((lines) => {
    const content = isBare
      ? lines
          .split(/(\n)/)
          .filter((line) => line !== '')
          .flatMap((line) =>
            line === '\n' && hardBreak ? [hardBreak.create()] : literalTextNodes(line, marks, schema),
          )
      : formatted(lines, marks, $context);
    return paragraph?.create(null, content) ?? [];
  });
}

/** Fenced code blocks and the paragraphs around them. */
function blocksOf(text: string, $context: ResolvedPos): ProsemirrorNode[] {
  const { schema } = $context.doc.type;
  const { codeBlock } = schema.nodes;
  const blocks: ProsemirrorNode[] = [];
  let end = 0;
  const takeWords = (to: number): void => {
    const words = text.slice(end, to).replace(/^\n+|\n+$/g, '');
    if (words !== '') blocks.push(...paragraphsOf(words, $context, false));
  };
  for (const code of findCode(text)) {
    if (!codeBlock || !code.isBlock) continue;
    takeWords(code.start);
    const language = code.language === '' ? null : languageName(code.language);
    blocks.push(codeBlock.create({ language }, code.text === '' ? [] : schema.text(code.text)));
    end = code.end;
  }
  takeWords(text.length);
  return blocks;
}

/**
 * Parses plain text and keeps every line and character. Formats what would be formatted if it were typed: code, formulas and links.
 *
 * @param isBare formats nothing, as for Ctrl+Shift+V
 */
function pastedText(text: string, $context: ResolvedPos, isBare: boolean): Slice {
  const isCode = $context.marks().some(({ type }) => type.name === 'code');
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  const nodes = isBare || isCode ? paragraphsOf(lines, $context, true) : blocksOf(lines, $context);
  return new Slice(Fragment.from(nodes), 0, 0);
}
