import type { ProsemirrorNode } from '@remirror/core';
import { NodeSelection, type EditorState } from '@remirror/pm/state';
import { useEditorView, useKeymap, useRemirrorContext } from '@remirror/react';
import { useCallback, useEffect } from 'react';

type Fits = (node: ProsemirrorNode) => boolean;

function selectedNode({ selection }: EditorState, fits: Fits): ProsemirrorNode | undefined {
  return selection instanceof NodeSelection && fits(selection.node) ? selection.node : undefined;
}

/** The node that is selected as a whole, where it is of that kind. */
export function useSelectedNode(fits: Fits): ProsemirrorNode | undefined {
  return selectedNode(useRemirrorContext().getState(), fits);
}

/** Opens the form of a node by a click on it, or by Enter while it is selected. */
export function useNodeOpening(selector: string, fits: Fits, open: () => void): void {
  const { dom } = useEditorView();
  useEffect(() => {
    const handle = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest(selector)) open();
    };
    dom.addEventListener('click', handle);
    return () => dom.removeEventListener('click', handle);
  }, [dom, selector, open]);
  useKeymap(
    'Enter',
    useCallback(
      ({ state }) => {
        const isSelected = selectedNode(state, fits) !== undefined;
        if (isSelected) open();
        return isSelected;
      },
      [fits, open],
    ),
  );
}
