import type { Node as ProsemirrorNode } from '@remirror/pm/model';
import { NodeSelection, TextSelection, type Transaction } from '@remirror/pm/state';

/** Puts the caret behind what ends there, into an empty paragraph, so that the next key is text and takes the place of nothing. */
export function caretBehind(tr: Transaction, end: number): Transaction {
  const $end = tr.doc.resolve(end);
  if ($end.parent.inlineContent) return tr.setSelection(TextSelection.create(tr.doc, end));
  const { nodeAfter: next } = $end;
  const { paragraph } = tr.doc.type.schema.nodes;
  if (paragraph && (next?.type !== paragraph || next.content.size > 0)) tr.insert(end, paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, end + 1));
}

/** A formula, a picture or a rule that is selected stays: what is typed or inserted goes behind it. */
export function leaveNode(tr: Transaction): Transaction {
  const { selection } = tr;
  return selection instanceof NodeSelection && selection.node.isLeaf ? caretBehind(tr, selection.to) : tr;
}

/** Puts a node in the place of the selection, with the caret behind it. */
export function insertBehind(tr: Transaction, node: ProsemirrorNode): Transaction {
  tr.replaceSelectionWith(node, false);
  let end = tr.selection.to;
  tr.doc.descendants((other, position) => {
    if (other === node) end = position + node.nodeSize;
  });
  return caretBehind(tr, end);
}
