import { ActionIcon } from '@mantine/core';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import { Suspense, useCallback, useId, useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { GoneNotice, useGone } from '../questions/gone';
import { useParticipation } from '../questions/participation';
import { announce } from '../../lib/announce';
import { lazyPart } from '../../lib/lazy-part';
import type { CommentEditorProps } from './comment-editor';
import classes from './comments.module.css';
import { SentNotice } from '../questions/draft-notice';
import { UnsentNotice } from '../questions/unsent-notice';
import { draftKey, hasDraft } from '../questions/use-draft';
import { useRereadIfRefused } from '../questions/use-question';
import { commentText } from './mention-text';
import { PlainComment } from './plain-comment';
import { useCommentDraft } from './use-comment-draft';

const CommentEditor = lazyPart(() => import('./comment-editor'));

interface CommentBoxProps {
  space: string;
  /** The post that is commented on: each has a draft of its own. */
  postId: string;
  /** Stores the comment. */
  onSend: (body: string) => Promise<void>;
}

/** Where a comment is written. The editor is loaded when it is needed, so that a page with a hundred answers stays light. */
export function CommentBox({ space, postId, onSend }: CommentBoxProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { studentId = '', act } = useParticipation();
  const gone = useGone();
  const rereadIfRefused = useRereadIfRefused();
  const sendOrReread = useCallback(
    async (body: string) => {
      try {
        await onSend(body);
        // It stands above the box; who listens hears nothing of it otherwise.
        announce(t('posted'));
      } catch (error) {
        rereadIfRefused(error);
        throw error;
      }
    },
    [onSend, rereadIfRefused, t],
  );
  const place = `comment-on:${postId}`;
  const draft = useCommentDraft(draftKey(studentId, place), sendOrReread);
  const { pending, isEmpty, isUnsent, restored, shown, sent, latest, change, send } = draft;
  const [isOpen, setIsOpen] = useState(restored !== undefined);
  const sendNow = useCallback(() => void (gone === undefined && send()), [gone, send]);
  const errorId = useId();
  const box = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(restored === undefined);
  const sendByButton = () => {
    sendNow();
    // Nothing was written: the button that opens the field stands for it until then.
    if (commentText(latest()) === '')
      box.current?.querySelector<HTMLElement>('[role="textbox"], textarea, button')?.focus();
  };
  const noteFocus = ({ type }: FocusEvent) => {
    hasFocus.current = type === 'focus';
  };
  if (gone !== undefined && !(isOpen && hasDraft(studentId, place))) return null;
  const opener = (
    <button type="button" className={classes.opener} onClick={() => act(() => setIsOpen(true))}>
      {t('placeholder')}
    </button>
  );
  const field = {
    label: t('label'),
    placeholder: t('placeholder'),
    errorId: isEmpty ? errorId : undefined,
    onChange: change,
    onSend: sendNow,
  };
  const plain = (
    <PlainComment
      {...field}
      restored={restored}
      shown={shown}
      startsFocused={hasFocus.current}
      onFocus={noteFocus}
      onBlur={noteFocus}
    />
  );
  return (
    <div>
      <div ref={box} className={classes.box}>
        {isOpen ? (
          <Suspense fallback={plain}>
            <EditorAfterPlainField
              {...field}
              start={() => ({ initialDoc: latest(), startsFocused: hasFocus.current })}
              space={space}
              shown={shown}
            />
          </Suspense>
        ) : (
          opener
        )}
        {gone === undefined && (
          <ActionIcon
            className={classes.send}
            variant="subtle"
            size="lg"
            loading={pending}
            aria-label={t('send')}
            title={t('send')}
            onClick={() => act(sendByButton)}
          >
            <IconSend size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {/* As it is shown: what is sent has ids in the place of names. */}
      <GoneNotice
        written={() => ({
          text:
            box.current?.querySelector<HTMLElement>('[role="textbox"]')?.innerText ??
            box.current?.querySelector('textarea')?.value ??
            '',
        })}
      />
      {isUnsent && <UnsentNotice />}
      {sent && <SentNotice sent={sent} />}
      {isEmpty && (
        <p id={errorId} className={classes.error} role="alert">
          {t('empty')}
        </p>
      )}
    </div>
  );
}

type Start = Pick<CommentEditorProps, 'initialDoc' | 'startsFocused'>;

/** Goes on with the text and the focus of the plain field. */
function EditorAfterPlainField({
  start,
  shown,
  ...rest
}: { start: () => Start } & Omit<CommentEditorProps, keyof Start>) {
  const [begun, setBegun] = useState(() => ({ ...start(), shown, key: 0 }));
  useLayoutEffect(() => {
    // Keys may have come between the drawing of the editor and its appearance.
    setBegun((before) => {
      const now = start();
      return now.initialDoc === before.initialDoc && now.startsFocused === before.startsFocused
        ? before
        : { ...now, shown, key: 1 };
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it appears
  }, []);
  const { key, shown: known, ...text } = begun;
  // The editor begins with the text that the plain field had.
  return <CommentEditor key={key} {...text} {...rest} shown={shown === known ? undefined : shown} />;
}
