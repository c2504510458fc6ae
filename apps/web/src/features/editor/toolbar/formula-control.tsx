import { Button, Checkbox, Group, Textarea } from '@mantine/core';
import type { ProsemirrorNode } from '@remirror/core';
import { useCommands } from '@remirror/react';
import IconMathFunction from '@tabler/icons-react/dist/esm/icons/IconMathFunction.mjs';
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_FORMULA_LENGTH } from '../../../components/rich-text/formula-source';
import { katexIfLoaded, loadKatex } from '../../../components/rich-text/lazy-katex';
import { sourceOf } from '../extensions/formula-extensions';
import classes from '../extensions/formula.module.css';
import type { RichTextExtension } from '../rich-text-extensions';
import { ToolbarPopover, useOpenOnNode, useSelectedNode } from './toolbar-popover';

const isFormula = ({ type }: ProsemirrorNode): boolean => type.name.endsWith('Formula');

/** Inserts a formula, or edits the selected one. */
export function FormulaControl() {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const [opened, setOpened] = useState(false);
  const selected = useSelectedNode(isFormula);
  useOpenOnNode(
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

/** Renders the source while typing; `mistake` is the error of the last rendering. */
function usePreview(source: string, isBlock: boolean) {
  const target = useRef<HTMLDivElement>(null);
  const [mistake, setMistake] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    void loadKatex().then((katex) => {
      // A half-typed formula is usually invalid, so the last valid one stays next to the message.
      if (isCurrent)
        setMistake(
          source === '' || !target.current ? undefined : katex?.drawFormula(target.current, source, isBlock),
        );
    });
    return () => {
      isCurrent = false;
    };
  }, [source, isBlock]);
  return { target, mistake };
}

interface FormulaFormProps {
  /** The formula to edit; undefined to insert one. */
  selected: ProsemirrorNode | undefined;
  onDone: () => void;
}

function FormulaForm({ selected, onDone }: FormulaFormProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const { insertFormula } = useCommands<RichTextExtension>();
  const [source, setSource] = useState(selected ? sourceOf(selected) : '');
  const [isBlock, setIsBlock] = useState(selected?.isBlock ?? false);
  const { target, mistake } = usePreview(source.trim(), isBlock);
  const previewId = useId();
  const isReady = source.trim() !== '' && mistake === undefined;
  const put = () => {
    if (source.trim() === '') return;
    // Fast typing is ahead of the preview, so check again, but do not wait for KaTeX to load: errors are marked in the text.
    const target = document.createElement('div');
    if (katexIfLoaded()?.drawFormula(target, source.trim(), isBlock) !== undefined) return;
    insertFormula(source.trim(), isBlock);
    onDone();
  };
  const submit = (event: FormEvent) => {
    // The form is in a portal, but React events bubble to the composer's form.
    event.preventDefault();
    event.stopPropagation();
    put();
  };
  const putByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    put();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Textarea
        label={t('source')}
        placeholder="\frac{a}{b}"
        value={source}
        maxLength={MAX_FORMULA_LENGTH}
        error={mistake === undefined ? undefined : t('invalidWithReason', { reason: mistake })}
        spellCheck={false}
        autosize
        minRows={2}
        maxRows={6}
        classNames={{ input: classes.source }}
        onChange={(event) => setSource(event.currentTarget.value)}
        onKeyDown={putByEnter}
        data-autofocus
      />
      <div className={classes.preview} role="group" aria-label={t('preview')} aria-describedby={previewId}>
        <div ref={target} />
        {source.trim() === '' && (
          <span id={previewId} className={classes.hint}>
            {t('previewEmpty')}
          </span>
        )}
      </div>
      <Checkbox
        mt="sm"
        size="sm"
        label={t('block')}
        checked={isBlock}
        onChange={(event) => setIsBlock(event.currentTarget.checked)}
      />
      <Group justify="flex-end" mt="sm" gap="xs">
        <Button type="submit" size="xs" disabled={!isReady}>
          {t(selected ? 'change' : 'insert')}
        </Button>
      </Group>
    </form>
  );
}
