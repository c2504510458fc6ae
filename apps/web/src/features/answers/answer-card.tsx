import { Badge, Button } from '@mantine/core';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { attachedImages } from '../../components/rich-text/enrich-body';
import { SafeHtml } from '../../components/rich-text/safe-html';
import type { AnswerDetailFragment } from '../../generated/graphql';
import { AnswerComments } from '../comments/comment-sections';
import { ImageGallery } from '../gallery/image-gallery';
import { AuthorLine } from '../questions/author-line';
import { GoneProvider } from '../questions/gone';
import { PostMenu } from '../questions/post-actions';
import { focusPost, isFocusFree, usePostTarget, useScrollToTarget } from '../questions/post-target';
import { VoteButtons } from '../voting/vote-buttons';
import { shownName } from '../../lib/api/erased';
import { scrollMotion } from '../../lib/browser/device';
import classes from './answers.module.css';

const THUMBNAILS = 3;

interface AnswerCardProps {
  answer: AnswerDetailFragment;
  /** Removed while the reader was writing on it: only their draft is shown. */
  isGone: boolean;
  space: string;
  isAccepted: boolean;
  /** Set if the reader may accept this answer. */
  onAccept: (() => void) | undefined;
  acceptLabel: string;
  isAccepting: boolean;
  /** Just written by the reader. */
  isNew: boolean;
  onEdit: () => void;
  /** Replaces the answer's text while it is edited. */
  composer: ReactNode;
  onCommented: () => void;
}

export function AnswerCard(props: AnswerCardProps) {
  const { answer, isGone, space, isAccepted, onAccept, acceptLabel, isAccepting } = props;
  const { isNew, onEdit, composer, onCommented } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'answers' });
  const target = usePostTarget();
  const isTarget = target.answerId === answer._id && target.commentId == null;
  const card = useScrollToTarget<HTMLElement>(isTarget);
  useFocusAfter(card, isNew);
  const didAccept = useRef(false);
  didAccept.current ||= isAccepting;
  useFocusAfter(card, isAccepted && didAccept.current);
  return (
    <li>
      <article
        ref={card}
        className={classes.card}
        data-target={isTarget || undefined}
        tabIndex={isTarget ? -1 : undefined}
        data-accepted={isAccepted || undefined}
        aria-label={t('label', { name: shownName(answer.author) })}
      >
        <GoneProvider gone={isGone ? 'answer' : undefined}>
          {!isGone && (
            <div className={classes.head}>
              <AuthorLine
                author={answer.author}
                createdAt={answer.createdAt}
                isEdited={answer.editedAt !== null}
              />
              {isAccepted && (
                <Badge
                  className={classes.accepted}
                  leftSection={<IconCircleCheckFilled size={14} aria-hidden />}
                >
                  {t('accepted')}
                </Badge>
              )}
              <PostMenu
                target={{ type: 'ANSWER', _id: answer._id }}
                authorId={answer.author._id}
                label={t('menu', { name: shownName(answer.author) })}
                className={classes.menu ?? ''}
                onEdit={onEdit}
              />
            </div>
          )}
          {composer || (!isGone && <AnswerBody answer={answer} />)}
          {!isGone && (
            <div className={classes.actions}>
              <VoteButtons kind="answer" post={answer} />
              {onAccept && (
                <Button
                  variant="light"
                  color="green.9"
                  c="var(--nimo-success)"
                  size="compact-md"
                  fz="sm"
                  leftSection={<IconCheck size={16} aria-hidden />}
                  aria-busy={isAccepting}
                  onClick={() => !isAccepting && onAccept()}
                >
                  {acceptLabel}
                </Button>
              )}
            </div>
          )}
          <AnswerComments answer={answer} space={space} onCommented={onCommented} />
        </GoneProvider>
      </article>
    </li>
  );
}

/** Focuses the answer and scrolls it into view once the control that had the focus is gone. */
function useFocusAfter(card: RefObject<HTMLElement>, isDone: boolean): void {
  useEffect(() => {
    if (!isDone || !card.current || !isFocusFree()) return;
    focusPost(card.current);
    card.current.scrollIntoView({ block: 'nearest', behavior: scrollMotion() });
  }, [card, isDone]);
}

function AnswerBody({ answer }: Pick<AnswerCardProps, 'answer'>) {
  return (
    <>
      <SafeHtml html={answer.body} />
      <ImageGallery imageUrls={attachedImages(answer)} shown={THUMBNAILS} />
    </>
  );
}
