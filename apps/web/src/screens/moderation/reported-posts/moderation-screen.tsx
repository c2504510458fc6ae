import { useApolloClient } from '@apollo/client/react';
import { Anchor, Badge, Group, SegmentedControl, Switch } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconChecks from '@tabler/icons-react/dist/esm/icons/IconChecks.mjs';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { MoreButton } from '../../../components/paged-rows';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { excerptPieces } from '../../../components/rich-text/formula-source';
import { InlineText } from '../../../components/rich-text/inline-text';
import { SkeletonRows } from '../../../components/skeletons';
import { useShortcuts } from '../../../features/shortcuts/use-shortcuts';
import {
  ModerationChangedDocument,
  ModerationQueueDocument,
  type QueuedCaseFragment,
} from '../../../generated/graphql';
import { useIsNarrow } from '../../../lib/browser/device';
import { wholeNumber } from '../../../lib/format';
import { useLive } from '../../../lib/api/live';
import { type NextPage, useGrowingList } from '../../../lib/api/paged-list';
import { CaseView, useReasonText } from './case-view';
import classes from './moderation.module.css';
import { shownName } from '../../../lib/api/erased';

type QueueState = 'OPEN' | 'DECIDED';

/** The queue of reported posts and the case selected by the URL. */
export default function ModerationScreen() {
  const { t } = useTranslation('moderation');
  const { postId } = useParams();
  const isNarrow = useIsNarrow();
  const [state, setState] = useState<QueueState>('OPEN');
  const [isMine, setIsMine] = useState(false);
  const queue = useQueue(state, isMine);
  const { step, openNext } = useQueueNavigation(queue.docs, postId);
  useShortcuts({ next: () => step(1), previous: () => step(-1) });
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Group gap="md">
            <Switch
              label={t('mine')}
              checked={isMine}
              onChange={({ currentTarget }) => setIsMine(currentTarget.checked)}
            />
            <SegmentedControl
              aria-label={t('show')}
              value={state}
              onChange={(value) => setState(value === 'DECIDED' ? 'DECIDED' : 'OPEN')}
              data={[
                { value: 'OPEN', label: t('open', { count: queue.totalOpen }) },
                { value: 'DECIDED', label: t('decided') },
              ]}
            />
          </Group>
        }
      >
        {t('title')}
      </PageHeading>
      {isNarrow && postId !== undefined && (
        <Anchor component={Link} to={paths.moderation} className={classes.back}>
          <IconArrowLeft size={16} stroke={1.75} aria-hidden />
          {t('queue')}
        </Anchor>
      )}
      <div className={classes.columns} data-open={postId !== undefined || undefined}>
        <aside className={classes.list} aria-label={t('queue')}>
          <Queue queue={queue} postId={postId} state={state} />
        </aside>
        <div className={classes.case}>
          {postId === undefined ? (
            queue.docs !== undefined && queue.docs.length > 0 && <p className={classes.hint}>{t('choose')}</p>
          ) : (
            <CaseView key={postId} postId={postId} onDecided={openNext} />
          )}
        </div>
      </div>
    </div>
  );
}

const keyOf = ({ postId }: QueuedCaseFragment): string => postId;

type QueueData = ReturnType<typeof useQueue>;

function useQueue(state: QueueState, isMine: boolean) {
  const client = useApolloClient();
  const reread = useCallback(
    () => void client.refetchQueries({ include: ['ModerationQueue', 'ModerationCase'] }),
    [client],
  );
  useLive(ModerationChangedDocument, { variables: {} }, reread);
  const { data, rows, ...list } = useGrowingList(
    ModerationQueueDocument,
    { state, isMine },
    {
      rowsOf: ({ getModerationQueue }) => getModerationQueue.docs,
      keyOf,
      next: ({ getModerationQueue: { next } }) => (next === null ? undefined : { after: next }),
      join: (_, { getModerationQueue }, docs) => ({ getModerationQueue: { ...getModerationQueue, docs } }),
    },
    { fetchPolicy: 'cache-and-network' },
  );
  return { docs: rows, totalOpen: data?.getModerationQueue.totalOpen ?? 0, ...list };
}

/** Moves through the queue by keyboard, and to the next case after a decision. */
function useQueueNavigation(docs: QueueData['docs'], postId: string | undefined) {
  const navigate = useNavigate();
  // A decided case leaves the list while it is still shown; remember its index to go on from there.
  const lastIndex = useRef(-1);
  // Updated before the URL, so that fast key presses are not lost.
  const targetIndex = useRef(-1);
  const found = docs?.findIndex((queued) => queued.postId === postId) ?? -1;
  useEffect(() => {
    targetIndex.current = found;
    if (found !== -1) lastIndex.current = found;
  }, [found, postId]);
  const step = (by: 1 | -1) => {
    if (!docs || docs.length === 0) return;
    targetIndex.current =
      targetIndex.current === -1 ? 0 : Math.min(Math.max(targetIndex.current + by, 0), docs.length - 1);
    const queued = docs[targetIndex.current];
    if (queued) void navigate(paths.moderationCase(queued.postId));
  };
  const openNext = () => {
    const others = (docs ?? []).filter((queued) => queued.postId !== postId);
    const next = others[Math.min(Math.max(lastIndex.current, 0), others.length - 1)];
    void navigate(next ? paths.moderationCase(next.postId) : paths.moderation);
  };
  return { step, openNext };
}

function Queue({
  queue,
  postId,
  state,
}: {
  queue: QueueData;
  postId: string | undefined;
  state: QueueState;
}) {
  const { t } = useTranslation('moderation');
  if (queue.docs === undefined) {
    return queue.error ? (
      <ErrorNotice error={queue.error} onRetry={queue.refetch} />
    ) : (
      <SkeletonRows count={5} />
    );
  }
  if (queue.docs.length === 0) {
    return (
      <EmptyState
        icon={IconChecks}
        title={t(state === 'OPEN' ? 'empty' : 'emptyDecided')}
        {...(state === 'OPEN' && { text: t('emptyText') })}
      />
    );
  }
  return <QueueList docs={queue.docs} current={postId} hasMore={queue.hasMore} nextPage={queue.nextPage} />;
}

interface QueueListProps {
  docs: readonly QueuedCaseFragment[];
  current: string | undefined;
  hasMore: boolean;
  nextPage: NextPage;
}

function QueueList({ docs, current, ...more }: QueueListProps) {
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
      <MoreButton fullWidth {...more}>
        {t('more')}
      </MoreButton>
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
        {assignee && <span>{t('assignedTo', { name: shownName(assignee) })}</span>}
        <span>
          {queued.spaceName}
          {at !== null && (
            <>
              {' · '}
              <ExactTime at={at} />
            </>
          )}
        </span>
      </span>
    </Link>
  );
}
