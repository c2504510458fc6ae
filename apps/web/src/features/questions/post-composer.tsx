import { Button, CloseButton, Stack, Title } from '@mantine/core';
import {
  useEffect,
  useId,
  useState,
  type ClipboardEventHandler,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useDroppedFiles } from '../gallery/use-dropped-files';
import type { CopiedText } from '../../lib/copy-text';
import { scrollMotion } from '../../lib/motion';
import { useIsPhone } from '../../lib/narrow';
import { isSendKey, sendKeyLabel } from '../../lib/send-key';
import { useOnRecovery } from '../../lib/connection';
import { useBackCloses } from '../../lib/use-back-closes';
import { useInertBehind } from '../../lib/use-inert-behind';
import { GoneNotice, useGone } from './gone';
import classes from './post-composer.module.css';
import { UnsentNotice } from './unsent-notice';
import { useSendLock, type Sending } from './use-send-lock';

interface PostComposerProps extends Sending {
  title: string;
  headingOrder: 1 | 2 | 3;
  /** It is a page of its own, which Back leaves anyway. */
  isPage?: boolean;
  /** It was opened to be written in, so it comes into view; a draft that was found waits where it is. */
  startsFocused?: boolean;
  onPaste: ClipboardEventHandler;
  /** Text to copy if it can no longer be sent. */
  written: () => CopiedText;
  /** Files that were dropped anywhere in it. */
  onFiles: (files: readonly File[]) => void;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Popovers lie in portals, but their React events bubble to the form. */
function isFromPortal({ target, currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return !(target instanceof Element && currentTarget.contains(target));
}

/** A list or menu that is open takes Escape for itself. The kit's fields with a list say so in their own way only. */
function isTakenByList({ currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return currentTarget.querySelector('[aria-expanded="true"], [data-expanded]') !== null;
}

/** Where a post is written: a question, an answer, an edit of either. On a phone it fills the screen; a restored draft does so once it is tapped. */
export function PostComposer(props: PostComposerProps) {
  const { title, headingOrder, isPage = false, startsFocused = true, isSaving, isSending, isUnsent } = props;
  const { written, onPaste, onFiles, onSubmit, onClose, children } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const id = useId();
  const isGone = useGone() !== undefined;
  const { form, fields } = useSendLock({ isSaving, isSending });
  const { isOver, handlers } = useDroppedFiles((files) => isSending || onFiles(files));
  const [isTapped, setIsTapped] = useState(false);
  const isActive = isPage || startsFocused || isTapped;
  const fillsScreen = useIsPhone() && isActive;
  useBackCloses(fillsScreen && !isPage, onClose);
  useInertBehind(form, fillsScreen);
  useEffect(() => {
    if (startsFocused && !isPage)
      form.current?.scrollIntoView({ block: 'nearest', behavior: scrollMotion() });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it opens
  }, []);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]:not(:disabled)')?.focus();
  }, [attempts, form]);
  const handleKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (isFromPortal(event) || event.nativeEvent.isComposing || isSaving) return;
    if (isSendKey(event)) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    } else if (event.key === 'Escape' && !isTakenByList(event)) onClose();
  };
  // Changed since, it may not be finished.
  const [isChanged, setIsChanged] = useState(false);
  const isSentLater = isUnsent && !isChanged;
  useOnRecovery(isSentLater, () => form.current?.requestSubmit());
  const submit = (event: FormEvent) => {
    setIsChanged(false);
    if (isGone) event.preventDefault();
    else void onSubmit(event);
    setAttempts((before) => before + 1);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that hold wherever in the form one is
    <form
      ref={form}
      tabIndex={-1}
      aria-labelledby={id}
      // Not on focus: the full screen would trap the Tab key.
      onClick={() => setIsTapped(true)}
      onInput={isUnsent ? () => setIsChanged(true) : undefined}
      onSubmit={submit}
      onPaste={isSending ? undefined : onPaste}
      onKeyDown={handleKey}
      {...handlers}
      data-active={isActive || undefined}
      data-over={isOver || undefined}
      className={classes.composer}
      noValidate
    >
      <div className={classes.head}>
        <Title order={headingOrder} size="h4" id={id}>
          {title}
        </Title>
        <CloseButton aria-label={t('close')} onClick={onClose} disabled={isSaving} />
      </div>
      <Stack ref={fields} gap="md">
        {children}
      </Stack>
      <div className={classes.bottom}>
        <GoneNotice written={written} />
        {isSentLater && <UnsentNotice />}
        <div className={classes.footer}>
          <span className={classes.hint}>{t('sendKey', { keys: sendKeyLabel })}</span>
          <Button variant="default" onClick={onClose} disabled={isSaving}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isSaving} disabled={isGone}>
            {t('submit')}
          </Button>
        </div>
      </div>
    </form>
  );
}
