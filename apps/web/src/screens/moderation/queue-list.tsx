import { Badge } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { MoreButton } from '../../components/more-button';
import { RelativeTime } from '../../components/relative-time';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { InlineText } from '../../components/rich-text/inline-text';
import type { QueuedCaseFragment } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import type { NextPage } from '../../lib/paged-list';
import { useReasonText } from './use-reason-text';
import classes from './moderation.module.css';

interface QueueListProps {
  docs: readonly QueuedCaseFragment[];
  current: string | undefined;
  /** The way to more of them, where there are any. */
  next: NextPage | undefined;
}

export function QueueList({ docs, current, next }: QueueListProps) {
  const { t } = useTranslation('moderation');
  return (
    <>
      <ol className={classes.items}>
        {docs.map((queued) => (
          <li key={queued.postId}>
            <QueueItem queued={queued} isCurrent={queued.postId === current} />
          </li>
        ))}
      </ol>
      {next && (
        <MoreButton fullWidth nextPage={next}>
          {t('more')}
        </MoreButton>
      )}
    </>
  );
}

function QueueItem({ queued, isCurrent }: { queued: QueuedCaseFragment; isCurrent: boolean }) {
  const { t, i18n } = useTranslation('moderation');
  const reasonText = useReasonText();
  const own = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const { weight, lastDecision, decidedAt, lastReportedAt, assignee, reasons } = queued;
  const [first, ...others] = reasons;
  const at = decidedAt !== null && weight === null ? decidedAt : lastReportedAt;
  return (
    <Link
      ref={own}
      to={paths.moderationCase(queued.postId)}
      className={classes.item}
      aria-current={isCurrent ? 'true' : undefined}
      data-list-link
    >
      <span className={classes.itemTop}>
        <span>{t(`postTypes.${queued.postType}`)}</span>
        {weight !== null ? (
          <Badge variant="light" color="accent" title={t('weightHint')} tt="none">
            {t('weight', { weight: wholeNumber(weight, i18n.language) })}
          </Badge>
        ) : (
          lastDecision && (
            <Badge variant="default" tt="none">
              {t(`decisions.${lastDecision}`)}
            </Badge>
          )
        )}
      </span>
      <span className={classes.itemTitle} dir="auto">
        <InlineText text={queued.title} />
      </span>
      <span className={classes.itemText} dir="auto">
        <InlineText text={excerptPieces(queued.excerpt)} />
      </span>
      <span className={classes.itemFoot}>
        {first && (
          <span>
            {t('reports', { count: queued.openReports })}: {reasonText(first.reason)}
            {others.length > 0 && ` +${others.length}`}
          </span>
        )}
        {assignee && <span>{t('assignedTo', { name: assignee.userName })}</span>}
        <span>
          {queued.spaceName}
          {at !== null && (
            <>
              {' · '}
              <RelativeTime at={at} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
