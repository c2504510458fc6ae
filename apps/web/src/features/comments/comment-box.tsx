import { ActionIcon } from '@mantine/core';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import { Suspense, useCallback, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParticipation } from '../questions/participation';
import { lazyPart } from '../../lib/lazy-part';
import classes from './comments.module.css';
import { draftKey } from '../questions/use-draft';
import { useCommentDraft } from './use-comment-draft';

const CommentEditor = lazyPart(() => import('./comment-editor'));

interface CommentBoxProps {
  space: string;
  /** The post that is commented on: each has a draft of its own. */
  postId: string;
  /** Stores the comment and brings the thread up to date. */
  onSend: (body: string) => Promise<void>;
}

/** Where a comment is written. The editor is loaded when it is needed, so that a page with a hundred answers stays light. */
export function CommentBox({ space, postId, onSend }: CommentBoxProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { kind, studentId = '', act } = useParticipation();
  const draft = useCommentDraft(draftKey(studentId, `comment-on:${postId}`), onSend);
  const { attempt, pending, isEmpty, restored, change, send } = draft;
  const [isOpen, setIsOpen] = useState(restored !== undefined);
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
              initialDoc={restored}
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
