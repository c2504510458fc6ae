import type { EditorState } from '@remirror/pm/state';
import { useRemirrorContext } from '@remirror/react';
import { startTransition, useCallback, useReducer, useRef } from 'react';

/** Everything around a caret that a button of the toolbar may show; nothing for a selection, whose every change may. */
function markupAt({ selection, storedMarks }: EditorState): string | undefined {
  if (!selection.empty) return undefined;
  const { $from } = selection;
  const around = Array.from({ length: $from.depth }, (_, depth) => {
    const { type, attrs } = $from.node(depth + 1);
    return [type.name, attrs];
  });
  const marks = [storedMarks ?? $from.marks(), $from.nodeBefore?.marks, $from.nodeAfter?.marks];
  return JSON.stringify([around, marks]);
}

/** Draws the toolbar again where the caret comes to other markup, and only when no key waits. */
export function useToolbarUpdates(): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<string>(undefined);
  useRemirrorContext(
    useCallback(({ state }: { state: EditorState }) => {
      const markup = markupAt(state);
      if (markup !== undefined && markup === shown.current) return;
      shown.current = markup;
      startTransition(redraw);
    }, []),
  );
}
