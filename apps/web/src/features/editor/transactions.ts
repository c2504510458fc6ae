import { closeHistory } from '@remirror/pm/history';
import { NodeSelection, TextSelection, type Transaction } from '@remirror/pm/state';
import type { EditorView } from '@remirror/pm/view';
import type { Node as ProsemirrorNode } from '@remirror/pm/model';

/** Starts a new undo step for what follows, however soon. */
export const closeUndoStep = (view: EditorView): void => view.dispatch(closeHistory(view.state.tr));

/** Dispatches a transaction as a separate undo step. */
export function dispatchUndoStep(view: EditorView, tr: Transaction): void {
  view.dispatch(closeHistory(tr).scrollIntoView());
  closeUndoStep(view);
}

/** Runs a command as a separate undo step. */
export function runUndoStep(view: EditorView, run: () => void): void {
  closeUndoStep(view);
  run();
  closeUndoStep(view);
}

/** Puts the caret after a node that ends at `end`; after a block, in an empty paragraph. */
export function caretAfter(tr: Transaction, end: number): Transaction {
  const $end = tr.doc.resolve(end);
  if ($end.parent.inlineContent) return tr.setSelection(TextSelection.create(tr.doc, end));
  const { nodeAfter: next } = $end;
  const { paragraph } = tr.doc.type.schema.nodes;
  if (paragraph && (next?.type !== paragraph || next.content.size > 0)) tr.insert(end, paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, end + 1));
}

/** Moves the caret after a selected formula, image or rule, so that input does not replace it. */
export function leaveSelectedNode(tr: Transaction): Transaction {
  const { selection } = tr;
  return selection instanceof NodeSelection && selection.node.isLeaf ? caretAfter(tr, selection.to) : tr;
}

/** Replaces the selection with a node and puts the caret after it. */
export function insertNode(tr: Transaction, node: ProsemirrorNode): Transaction {
  tr.replaceSelectionWith(node, false);
  let end = tr.selection.to;
  tr.doc.descendants((other, position) => {
    if (other === node) end = position + node.nodeSize;
  });
  return caretAfter(tr, end);
}
