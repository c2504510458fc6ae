import { ActionIcon } from '@mantine/core';
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs';
import { Suspense, useCallback, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GoneNotice, useGone } from '../questions/gone';
import { useParticipation } from '../questions/participation';
import { lazyPart } from '../../lib/lazy-part';
import classes from './comments.module.css';
import { draftKey, hasDraft } from '../questions/use-draft';
import { useRereadIfRefused } from '../questions/use-question';
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
      } catch (error) {
        rereadIfRefused(error);
        throw error;
      }
    },
    [onSend, rereadIfRefused],
  );
  const place = `comment-on:${postId}`;
  const draft = useCommentDraft(draftKey(studentId, place), sendOrReread);
  const { pending, isEmpty, restored, shown, change, send } = draft;
  const [isOpen, setIsOpen] = useState(restored !== undefined);
  const sendNow = useCallback(() => void (gone === undefined && send()), [gone, send]);
  const errorId = useId();
  const box = useRef<HTMLDivElement>(null);
  if (gone !== undefined && !(isOpen && hasDraft(studentId, place))) return null;
  const opener = (
    <button type="button" className={classes.opener} onClick={() => act(() => setIsOpen(true))}>
      {t('placeholder')}
    </button>
  );
  return (
    <div>
      <div ref={box} className={classes.box}>
        {isOpen ? (
          <Suspense fallback={opener}>
            <CommentEditor
              label={t('label')}
              placeholder={t('placeholder')}
              space={space}
              initialDoc={restored}
              shown={shown}
              errorId={isEmpty ? errorId : undefined}
              onChange={change}
              onSend={sendNow}
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
            onClick={() => act(sendNow)}
          >
            <IconSend size={18} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {/* As it is shown: what is sent has ids in the place of names. */}
      <GoneNotice
        written={() => ({
          text: box.current?.querySelector<HTMLElement>('[role="textbox"]')?.innerText ?? '',
        })}
      />
      {isEmpty && (
        <p id={errorId} className={classes.error} role="alert">
          {t('empty')}
        </p>
      )}
    </div>
  );
}
