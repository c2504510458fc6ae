import { closeHistory } from '@remirror/pm/history';
import type { Transaction } from '@remirror/pm/state';
import type { EditorView } from '@remirror/pm/view';

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
