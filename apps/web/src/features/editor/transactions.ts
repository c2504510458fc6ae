import { closeHistory } from '@remirror/pm/history';
import { NodeSelection, TextSelection, type Transaction } from '@remirror/pm/state';
import type { EditorView } from '@remirror/pm/view';
import type { Node as ProsemirrorNode } from '@remirror/pm/model';

/** Makes another step of undo of all that follows, however soon it comes. */
export const closeStep = (view: EditorView): void => view.dispatch(closeHistory(view.state.tr));

/** Changes the document in a step of its own: to take it back leaves what was typed just before. */
export function dispatchOwnStep(view: EditorView, tr: Transaction): void {
  view.dispatch(closeHistory(tr).scrollIntoView());
  closeStep(view);
}

/** The same for what a button of the toolbar does, by whichever command. */
export function runOwnStep(view: EditorView, run: () => void): void {
  closeStep(view);
  run();
  closeStep(view);
}

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
