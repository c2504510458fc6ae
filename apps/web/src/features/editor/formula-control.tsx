import type { ProsemirrorNode } from '@remirror/core';
import IconMathFunction from '@tabler/icons-react/dist/esm/icons/IconMathFunction.mjs';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormulaForm } from './formula-form';
import { useNodeOpening, useSelectedNode } from './selected-node';
import { ToolbarPopover } from './toolbar-popover';

const isFormula = ({ type }: ProsemirrorNode): boolean => type.name.endsWith('Formula');

/** Inserts a formula, or changes the one that is selected. */
export function FormulaControl() {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const [opened, setOpened] = useState(false);
  const selected = useSelectedNode(isFormula);
  useNodeOpening(
    '[data-formula]',
    isFormula,
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
