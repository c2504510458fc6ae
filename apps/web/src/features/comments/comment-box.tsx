import { ActionIcon } from '@mantine/core';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import { lazy, Suspense, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/errors';
import { useParticipation } from '../questions/participation';
import classes from './comments.module.css';

const CommentEditor = lazy(() => import('./comment-editor'));

interface CommentBoxProps {
  space: string;
  /** Stores the comment and brings the thread up to date. */
  onSend: (body: string) => Promise<void>;
}

interface Sending {
  attempt: number;
  pending: boolean;
  isEmpty: boolean;
}

function useCommentDraft(onSend: CommentBoxProps['onSend']) {
  const text = useRef('');
  const [sending, setSending] = useState<Sending>({ attempt: 0, pending: false, isEmpty: false });
  const change = useCallback((value: string) => {
    text.current = value;
    if (value !== '') setSending((current) => (current.isEmpty ? { ...current, isEmpty: false } : current));
  }, []);
  const isPending = useRef(false);
  const send = useCallback(async () => {
    if (isPending.current) return;
    if (text.current === '') {
      setSending((current) => ({ ...current, isEmpty: true }));
      return;
    }
    isPending.current = true;
    setSending((current) => ({ ...current, pending: true }));
    try {
      await onSend(text.current);
      text.current = '';
      setSending(({ attempt }) => ({ attempt: attempt + 1, pending: false, isEmpty: false }));
    } catch (error) {
      toast.error(errorText(error));
      setSending((current) => ({ ...current, pending: false }));
    } finally {
      isPending.current = false;
    }
  }, [onSend]);
  return { ...sending, change, send };
}

/** Where a comment is written. The editor is loaded when it is needed, so that a page with a hundred answers stays light. */
export function CommentBox({ space, onSend }: CommentBoxProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { kind, act } = useParticipation();
  const [isOpen, setIsOpen] = useState(false);
  const { attempt, pending, isEmpty, change, send } = useCommentDraft(onSend);
  const sendNow = useCallback(() => void send(), [send]);
  const errorId = useId();
  if (kind === 'reader') return null;
  const opener = (
    <button type="button" className={classes.opener} onClick={() => act(() => setIsOpen(true))}>
      {t('placeholder')}
    </button>
  );
  return (
    <div>
      <div className={classes.box}>
        {isOpen ? (
          <Suspense fallback={opener}>
            <CommentEditor
              key={attempt}
              label={t('label')}
              placeholder={t('placeholder')}
              space={space}
              errorId={isEmpty ? errorId : undefined}
              onChange={change}
              onSend={sendNow}
            />
          </Suspense>
        ) : (
          opener
        )}
        <ActionIcon
          className={classes.send}
          variant="subtle"
          size="lg"
          loading={pending}
          aria-label={t('send')}
          title={t('send')}
          onClick={() => act(sendNow)}
        >
          <IconSend size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      {isEmpty && (
        <p id={errorId} className={classes.error} role="alert">
          {t('empty')}
        </p>
      )}
    </div>
  );
}
