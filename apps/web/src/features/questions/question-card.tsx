import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs';
import { VisuallyHidden } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, type To } from 'react-router-dom';
import { PersonAvatar } from '../../components/person-avatar';
import { InlineText } from '../../components/rich-text/inline-text';
import { RelativeTime } from '../../components/relative-time';
import { SubjectChip, TopicChip } from '../../components/chips';
import type { QuestionCardFragment } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import cut from '../../components/rich-text/cut-line.module.css';
import classes from './question-card.module.css';
import { previewForCard, titleForCard } from '../../components/rich-text/truncate';
import { shownName } from '../../lib/api/erased';

interface QuestionCardProps {
  question: QuestionCardFragment;
  to: To;
  isSelected: boolean;
  /** Replaces the history entry. */
  replaces?: boolean;
  /** Replaces the question's title, to highlight search matches. */
  title?: ReactNode;
  preview?: ReactNode;
}

/** A question in a list; the whole card is a link. Memoised, so that a new selection re-renders two cards only. */
export const QuestionCard = memo(function QuestionCard({
  question,
  to,
  isSelected,
  replaces = false,
  title,
  preview,
}: QuestionCardProps) {
  const { t, i18n } = useTranslation('ask', { keyPrefix: 'question' });
  const upvotes = t('upvotes', { count: question.upvoteCount });
  const shownPreview =
    preview ?? (question.excerpt === '' ? '' : <InlineText text={previewForCard(question.excerpt)} />);
  return (
    <article className={classes.card} data-selected={isSelected || undefined}>
      <div className={classes.chips}>
        <SubjectChip subject={question.subject} />
        <TopicChip topic={question.topic} />
        {question.acceptedAnswer && (
          <span className={classes.solved} title={t('solved')}>
            <IconCircleCheckFilled size={18} aria-hidden />
            <VisuallyHidden>{t('solved')}</VisuallyHidden>
          </span>
        )}
      </div>
      <h3 className={classes.title} dir="auto">
        <Link
          to={to}
          replace={replaces}
          preventScrollReset
          data-list-link
          className={classes.link}
          aria-current={isSelected || undefined}
        >
          {title ?? <InlineText text={titleForCard(question.title)} />}
        </Link>
      </h3>
      {shownPreview !== '' && (
        <p className={`${cut.line} ${classes.preview}`} dir="auto">
          {shownPreview}
        </p>
      )}
      <div className={classes.foot}>
        <PersonAvatar person={question.author} size={22} />
        <span className={classes.author} title={shownName(question.author)}>
          {shownName(question.author)}
        </span>
        <span aria-hidden>·</span>
        <RelativeTime at={question.createdAt} />
        <span className={classes.counts}>
          <span className={classes.count} title={upvotes}>
            <IconArrowBigUp size={16} stroke={1.75} aria-hidden />
            <span aria-hidden>{wholeNumber(question.upvoteCount, i18n.language)}</span>
            <VisuallyHidden>{upvotes}</VisuallyHidden>
          </span>
          <span>{t('answers', { count: question.answerCount })}</span>
        </span>
      </div>
    </article>
  );
});
