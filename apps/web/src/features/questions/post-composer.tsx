import { Button, CloseButton, Modal, Stack, Title } from '@mantine/core';
import {
  useEffect,
  useId,
  useRef,
  type ClipboardEventHandler,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useDroppedFiles } from '../gallery/use-dropped-files';
import type { CopiedText } from '../../lib/copy-text';
import { scrollMotion } from '../../lib/motion';
import { sendKeyLabel } from '../../lib/send-key';
import { GoneNotice, useGone } from './gone';
import classes from './post-composer.module.css';

interface PostComposerProps {
  title: string;
  /** `dialog` covers the page; `inline` stands in it, so that what is answered can be read. */
  place: 'dialog' | 'inline';
  isSaving: boolean;
  onPaste: ClipboardEventHandler;
  /** Text to copy if it can no longer be sent. */
  written: () => CopiedText;
  /** Files that were dropped anywhere in it. */
  onFiles: (files: readonly File[]) => void;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Where a post is written: a question, an answer, an edit of either. A click beside it never closes it. */
export function PostComposer(props: PostComposerProps) {
  const { title, place, onClose } = props;
  if (place === 'inline') return <InlineComposer {...props} />;
  return (
    <Modal
      opened
      returnFocus={false}
      onClose={onClose}
      title={title}
      size="56rem"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <ComposerForm {...props} />
    </Modal>
  );
}

/** The dialog of the specification without a backdrop: it leaves the question above it to be read. */
function InlineComposer(props: PostComposerProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const { title, isSaving, onClose } = props;
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.scrollIntoView({ block: 'nearest', behavior: scrollMotion() });
  }, []);
  return (
    <div ref={ref} role="dialog" aria-labelledby={id} className={classes.inline}>
      <div className={classes.head}>
        <Title order={3} size="h4" id={id}>
          {title}
        </Title>
        <CloseButton aria-label={t('close')} onClick={onClose} disabled={isSaving} />
      </div>
      <ComposerForm {...props} />
    </div>
  );
}

/** Popovers lie in portals, but their React events bubble to the form. */
function isFromPortal({ target, currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return !(target instanceof Element && currentTarget.contains(target));
}

/** A list or menu that is open takes Escape for itself. */
function isTakenByList({ currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return currentTarget.querySelector('[aria-expanded="true"]') !== null;
}

function ComposerForm(props: PostComposerProps) {
  const { place, isSaving, written, onPaste, onFiles, onSubmit, onClose, children } = props;
  const isGone = useGone() !== undefined;
  const { isOver, handlers } = useDroppedFiles(onFiles);
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const handleKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (isFromPortal(event) || event.nativeEvent.isComposing || isSaving) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    } else if (event.key === 'Escape' && !isTakenByList(event)) onClose();
  };
  const submit = (event: FormEvent) => {
    if (isGone) event.preventDefault();
    else void onSubmit(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that hold wherever in the form one is
    <form
      onSubmit={submit}
      onPaste={onPaste}
      onKeyDown={handleKey}
      {...handlers}
      data-over={isOver || undefined}
      className={classes.form}
      noValidate
    >
      <Stack gap="md">
        {children}
        <div className={`${classes.bottom} ${place === 'dialog' ? classes.dialog : ''}`}>
          <GoneNotice written={written} />
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
      </Stack>
    </form>
  );
}
