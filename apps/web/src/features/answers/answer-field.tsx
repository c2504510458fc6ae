import { Title } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainField } from '../editor/rich-text-field';
import editorClasses from '../editor/rich-text.module.css';
import { useIsPhone } from '../../lib/browser/device';
import { useGone } from '../questions/gone';
import { isFocusFree } from '../questions/post-target';
import composerClasses from '../questions/post-composer.module.css';
import { AnswerComposer, type SendOwn } from './answer-composer';

interface AnswerFieldProps {
  questionId: string;
  /** The answers have loaded, so they no longer shift the field. */
  isReady: boolean;
  /** Why it is open: to write in it, or to restore a draft. */
  opened: 'focused' | 'restored' | undefined;
  onOpen: () => void;
  sendOwn: SendOwn;
  onSaved: (answerId: string | undefined) => void;
  onClose: () => void;
}

/** The reader's own answer: a collapsed field that turns into the full editor in place. */
export function AnswerField({ isReady, opened, onOpen, ...composer }: AnswerFieldProps) {
  const isGone = useGone() !== undefined;
  const [isShown, setIsShown] = useState(isReady);
  if (isReady && !isShown) setIsShown(true);
  const wasOpen = useRef(false);
  useEffect(() => {
    wasOpen.current = opened !== undefined;
  });
  if (!isShown) return null;
  if (opened !== undefined)
    return <AnswerComposer answer={undefined} startsFocused={opened === 'focused'} {...composer} />;
  return isGone ? null : <CollapsedField takesFocus={wasOpen.current} onOpen={onOpen} />;
}

function CollapsedField({ takesFocus, onOpen }: { takesFocus: boolean; onOpen: () => void }) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const id = useId();
  const isPhone = useIsPhone();
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus && isFocusFree()) group.current?.focus({ preventScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as the composer closes
  }, []);
  return (
    <div
      ref={group}
      role="group"
      aria-label={t('answerTitle')}
      tabIndex={-1}
      data-rest
      className={`${composerClasses.composer} ${composerClasses.collapsed}`}
    >
      <div className={composerClasses.head}>
        <Title order={3} size="h4">
          {t('answerTitle')}
        </Title>
      </div>
      <span className={editorClasses.label} id={id}>
        {t('answer')}
      </span>
      {/* On a phone, focus opens it full screen, which would trap the Tab key. A button above opens it, too. */}
      <PlainField
        placeholder={t('answerPlaceholder')}
        labelledBy={id}
        isSkippedByTab={isPhone}
        onFocus={onOpen}
      />
    </div>
  );
}
