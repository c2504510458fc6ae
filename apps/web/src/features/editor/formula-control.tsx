import type { ProsemirrorNode } from '@remirror/core';
import { NodeSelection } from '@remirror/pm/state';
import { useCurrentSelection, useEditorView, useKeymap } from '@remirror/react';
import IconMathFunction from '@tabler/icons-react/dist/esm/icons/IconMathFunction.mjs';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormulaForm } from './formula-form';
import { ToolbarPopover } from './toolbar-popover';

/** The formula that is selected as a whole. */
function useSelectedFormula(): ProsemirrorNode | undefined {
  const selection = useCurrentSelection();
  const node = selection instanceof NodeSelection ? selection.node : undefined;
  return node && /Formula$/.test(node.type.name) ? node : undefined;
}

/** Opens by a click on a formula, or by Enter while one is selected. */
function useOpening(isSelected: boolean, open: () => void): void {
  const { dom } = useEditorView();
  useEffect(() => {
    const handle = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest('[data-formula]')) open();
    };
    dom.addEventListener('click', handle);
    return () => dom.removeEventListener('click', handle);
  }, [dom, open]);
  const openSelected = useCallback(() => {
    if (isSelected) open();
    return isSelected;
  }, [isSelected, open]);
  useKeymap('Enter', openSelected);
}

/** Inserts a formula, or changes the one that is selected. */
export function FormulaControl() {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const [opened, setOpened] = useState(false);
  const selected = useSelectedFormula();
  useOpening(
    selected !== undefined,
    useCallback(() => setOpened(true), []),
  );
  return (
    <ToolbarPopover
      label={t('control')}
      icon={<IconMathFunction size={18} stroke={1.75} aria-hidden />}
      opened={opened}
      onChange={setOpened}
      isPressed={selected !== undefined}
      width={360}
    >
      {(done) => <FormulaForm selected={selected} onDone={done} />}
    </ToolbarPopover>
  );
}
