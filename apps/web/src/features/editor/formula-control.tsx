import type { ProsemirrorNode } from '@remirror/core';
import { NodeSelection } from '@remirror/pm/state';
import { Popover } from '@mantine/core';
import { useCurrentSelection, useEditorView, useKeymap } from '@remirror/react';
import IconMathFunction from '@tabler/icons-react/dist/esm/icons/IconMathFunction.mjs';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormulaForm } from './formula-form';
import classes from './toolbar.module.css';

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
    <Popover
      opened={opened}
      onChange={setOpened}
      trapFocus
      returnFocus
      position="bottom-end"
      width={360}
      withRoles={false}
    >
      <Popover.Target>
        <button
          type="button"
          tabIndex={-1}
          className={classes.button}
          aria-label={t('control')}
          title={t('control')}
          aria-pressed={selected !== undefined}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconMathFunction size={18} stroke={1.75} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('control')}>
        <FormulaForm selected={selected} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
