import {
  MarkExtension,
  type ApplySchemaAttributes,
  type MarkExtensionSpec,
  type MarkSpecOverride,
} from '@remirror/core';
import type { Mark, Node as ProsemirrorNode, Schema } from '@remirror/pm/model';
import type { EditorState, Transaction } from '@remirror/pm/state';
import { formulaPieces } from '../../../components/rich-text/formula-source';

const NAME = 'literalDollar';

/** A dollar sign that is not part of a formula although it looks like it, stored as `<span>$</span>`. */
export class LiteralDollar extends MarkExtension {
  get name() {
    return NAME as typeof NAME;
  }
  createMarkSpec(extra: ApplySchemaAttributes, override: MarkSpecOverride): MarkExtensionSpec {
    return {
      ...override,
      inclusive: false,
      attrs: extra.defaults(),
      parseDOM: [
        {
          tag: 'span:not([class])',
          consuming: false,
          getAttrs: (element) => element instanceof Element && /^\$+$/.test(element.textContent) && null,
        },
      ],
      toDOM: () => ['span', 0],
    };
  }
}

/** Same as prosemirror-history's `isHistoryTransaction`, which Remirror does not export. */
const isHistoryStep = (tr: Transaction): boolean => tr.getMeta('history$') !== undefined;

export const isLiteral = ({ marks }: ProsemirrorNode): boolean =>
  marks.some(({ type }) => type.name === NAME);

const isFormula = ({ type }: ProsemirrorNode): boolean => type.name.endsWith('Formula');

function hasFormula(doc: ProsemirrorNode, from: number, to: number): boolean {
  let isFound = false;
  doc.nodesBetween(from, Math.min(to, doc.content.size), (node) => {
    isFound ||= isFormula(node);
  });
  return isFound;
}

/** Marks the dollar signs of an undone formula as literal, so that it stays text. */
export function markUndoneFormulas(
  transactions: readonly Transaction[],
  before: EditorState,
  { doc, tr, schema }: EditorState,
): Transaction | undefined {
  const mark = schema.marks[NAME]?.create();
  const from = before.doc.content.findDiffStart(doc.content);
  const end = before.doc.content.findDiffEnd(doc.content);
  if (!mark || from === null || !end || !transactions.some(isHistoryStep)) return undefined;
  if (!hasFormula(before.doc, from, Math.max(from, end.a))) return undefined;
  const to = Math.max(from, end.b);
  doc.nodesBetween(from, Math.min(to, doc.content.size), (node, at) => {
    for (const { index } of node.text?.matchAll(/\$/g) ?? [])
      if (at + index >= from && at + index < to) tr.addMark(at + index, at + index + 1, mark);
  });
  return tr.docChanged ? tr : undefined;
}

/** Text nodes whose dollar signs are marked as literal if they would read as a formula. */
export function literalTextNodes(words: string, marks: readonly Mark[], schema: Schema): ProsemirrorNode[] {
  const literal = schema.marks[NAME]?.create();
  if (!literal || formulaPieces(words).every(({ kind }) => kind === 'text'))
    return [schema.text(words, marks)];
  return words
    .split(/(\$)/)
    .filter((part) => part !== '')
    .map((part) => schema.text(part, part === '$' ? literal.addToSet(marks) : marks));
}
