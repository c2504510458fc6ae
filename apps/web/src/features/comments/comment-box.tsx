import { ActionIcon } from '@mantine/core';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import {
  type FocusEvent,
  type FocusEventHandler,
  type KeyboardEvent,
  Suspense,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../lib/browser/announce';
import { lazyPart } from '../../lib/browser/loading';
import { isSendKey } from '../../lib/browser/device';
import { draftKey, hasDraft, SentNotice, UnsentNotice } from '../questions/drafts';
import { GoneNotice, useGone } from '../questions/gone';
import { useParticipation } from '../people/participation';
import { useRefetchIfRefused } from '../questions/use-question';
import type { CommentEditorProps } from './comment-editor';
import classes from './comments.module.css';
import { type CommentNode, commentText, docFromText, hasMention, appended, emptyDoc } from './mention-text';
import { type ShownDoc, useCommentDraft } from './use-comment-draft';

const CommentEditor = lazyPart(() => import('./comment-editor'));

interface CommentBoxProps {
  space: string;
  /** The post to comment on; each has its own draft. */
  postId: string;
  /** Stores the comment. */
  onSend: (body: string) => Promise<void>;
}

/** Input for a comment. The editor is loaded on demand, so that a page with a hundred answers stays light. */
export function CommentBox({ space, postId, onSend }: CommentBoxProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { studentId = '', act } = useParticipation();
  const gone = useGone();
  const refetchIfRefused = useRefetchIfRefused();
  const sendOrRefetch = useCallback(
    async (body: string) => {
      try {
        await onSend(body);
        // Screen readers do not notice it above the box.
        announce(t('posted'));
      } catch (error) {
        refetchIfRefused(error);
        throw error;
      }
    },
    [onSend, refetchIfRefused, t],
  );
  const place = `comment-on:${postId}`;
  const draft = useCommentDraft(draftKey(studentId, place), sendOrRefetch);
  const { pending, isEmpty, isUnsent, restored, shown, sent, latest, change, send } = draft;
  const [isOpen, setIsOpen] = useState(restored !== undefined);
  const sendNow = useCallback(() => void (gone === undefined && send()), [gone, send]);
  const errorId = useId();
  const box = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(restored === undefined);
  const sendByButton = () => {
    sendNow();
    // With nothing written, focus the field, or the button that opens it.
    if (commentText(latest()) === '')
      box.current?.querySelector<HTMLElement>('[role="textbox"], textarea, button')?.focus();
  };
  const trackFocus = ({ type }: FocusEvent) => {
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
      onFocus={trackFocus}
      onBlur={trackFocus}
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
      {/* As displayed: the sent text has IDs instead of names. */}
      <GoneNotice
        getText={() => ({
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

/** Takes over the text and focus of the plain field. */
function EditorAfterPlainField({
  start,
  shown,
  ...rest
}: { start: () => Start } & Omit<CommentEditorProps, keyof Start>) {
  const [initial, setInitial] = useState(() => ({ ...start(), shown, key: 0 }));
  useLayoutEffect(() => {
    // Keys may have been pressed between render and commit.
    setInitial((before) => {
      const now = start();
      return now.initialDoc === before.initialDoc && now.startsFocused === before.startsFocused
        ? before
        : { ...now, shown, key: 1 };
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once, as it appears
  }, []);
  const { key, shown: known, ...text } = initial;
  // The editor starts with the text of the plain field.
  return <CommentEditor key={key} {...text} {...rest} shown={shown === known ? undefined : shown} />;
}

interface PlainCommentProps {
  label: string;
  placeholder: string;
  /** Initial text from a draft. */
  restored: CommentNode | undefined;
  /** See `CommentEditorProps`. */
  shown: ShownDoc | undefined;
  startsFocused: boolean;
  errorId: string | undefined;
  onFocus: FocusEventHandler;
  onBlur: FocusEventHandler;
  onChange: (doc: CommentNode) => void;
  onSend: () => void;
}

/** Takes input while the editor loads. Text with mentions is hidden until then; new input is appended to it. */
function PlainComment(props: PlainCommentProps) {
  const { label, placeholder, restored, shown, startsFocused, errorId } = props;
  const { onFocus, onBlur, onChange, onSend } = props;
  const doc = shown?.doc ?? restored ?? emptyDoc;
  const field = useRef<HTMLTextAreaElement>(null);
  const isHidden = hasMention(doc);
  useLayoutEffect(() => {
    if (field.current) field.current.value = isHidden ? '' : commentText(doc);
  }, [shown, doc, isHidden]);
  const sendByKey = (event: KeyboardEvent) => {
    if (!isSendKey(event) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <textarea
      ref={field}
      className={classes.plain}
      rows={1}
      placeholder={isHidden ? '' : placeholder}
      aria-label={label}
      aria-describedby={errorId}
      aria-invalid={errorId !== undefined}
      dir="auto"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was just pressed
      autoFocus={startsFocused}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={sendByKey}
      onChange={({ currentTarget: { value } }) =>
        onChange(isHidden ? appended(doc, docFromText(value)) : docFromText(value))
      }
    />
  );
}
