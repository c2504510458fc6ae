import { Button, CloseButton, Stack, Title } from '@mantine/core';
import {
  type ClipboardEventHandler,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useOnRecovery } from '../../lib/api/connection';
import { type CopiedText, GoneNotice, useGone } from './gone';
import { isSendKey, scrollMotion, sendKeyLabel, useIsPhone } from '../../lib/browser/device';
import { useBackCloses } from '../../lib/browser/use-back-closes';
import { useDroppedFiles } from '../gallery/image-picker';
import { UnsentNotice } from './drafts';
import classes from './post-composer.module.css';

interface PostComposerProps extends Sending {
  title: string;
  headingOrder: 1 | 2 | 3;
  /** The composer is a separate page, so Back already leaves it. */
  isPage?: boolean;
  /** Opened by the reader, so it scrolls into view; a restored draft does not. */
  startsFocused?: boolean;
  onPaste: ClipboardEventHandler;
  /** Text to copy if it can no longer be sent. */
  getText: () => CopiedText;
  /** Called with files dropped anywhere in the composer. */
  onFiles: (files: readonly File[]) => void;
  onSubmit: (event: FormEvent) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Popovers are in portals, but their React events bubble to the form. */
function isFromPortal({ target, currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return !(target instanceof Element && currentTarget.contains(target));
}

/** Whether an open list or menu handles Escape. Mantine's comboboxes only set `data-expanded`. */
function isListOpen({ currentTarget }: KeyboardEvent<HTMLFormElement>): boolean {
  return currentTarget.querySelector('[aria-expanded="true"], [data-expanded]') !== null;
}

/** Form for a question or an answer, new or edited. Full screen on a phone; a restored draft only once it is tapped. */
export function PostComposer(props: PostComposerProps) {
  const { title, headingOrder, isPage = false, startsFocused = true, isSaving, isSending, isUnsent } = props;
  const { getText, onPaste, onFiles, onSubmit, onClose, children } = props;
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
    } else if (event.key === 'Escape' && !isListOpen(event)) onClose();
  };
  // If it has changed since, it may be unfinished.
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts for the whole form
    <form
      ref={form}
      tabIndex={-1}
      aria-labelledby={id}
      // Not on focus, because full screen traps the Tab key.
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
        <GoneNotice getText={getText} />
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

interface Sending {
  /** Submitted, and waiting for uploads or the response. */
  isSaving: boolean;
  /** The request is in flight; the text can no longer change. */
  isSending: boolean;
  /** Sending failed because the connection was lost. */
  isUnsent: boolean;
}

/** Makes the fields inert while sending. The form takes the focus, and returns it if sending fails. */
function useSendLock({ isSaving, isSending }: Pick<Sending, 'isSaving' | 'isSending'>) {
  const form = useRef<HTMLFormElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const left = useRef<HTMLElement>();
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const isClosed =
      focused instanceof HTMLElement &&
      (fields.current?.contains(focused) ? isSending : focused.matches(':disabled'));
    if (isSaving && isClosed && form.current?.contains(focused)) {
      left.current = focused;
      form.current.focus({ preventScroll: true });
    }
    fields.current?.toggleAttribute('inert', isSending);
    if (isSaving) return;
    if (focused === form.current) left.current?.focus({ preventScroll: true });
    left.current = undefined;
  }, [isSaving, isSending]);
  return { form, fields };
}

/** Makes the page behind a full-screen element inert for Tab and screen readers; overlays outside of its ancestors stay usable. */
function useInertBehind(cover: RefObject<HTMLElement>, fillsScreen: boolean): void {
  useLayoutEffect(() => {
    const around: HTMLElement[] = [];
    for (let part = cover.current?.parentElement; part && part !== document.body; part = part.parentElement)
      around.push(part);
    if (!fillsScreen) return undefined;
    const inert = new Set<Element>();
    const takeOut = () => {
      for (const part of around.flatMap(({ children }) => [...children]))
        // Announcements must still be heard.
        if (!part.contains(cover.current) && !part.matches('[role="log"], [inert]')) {
          part.setAttribute('inert', '');
          inert.add(part);
        }
    };
    takeOut();
    const observer = new MutationObserver(takeOut);
    for (const part of around) observer.observe(part, { childList: true });
    return () => {
      observer.disconnect();
      for (const part of inert) part.removeAttribute('inert');
    };
  }, [cover, fillsScreen]);
}
