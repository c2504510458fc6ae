import { useTranslation } from 'react-i18next';
import { useQuery } from '@apollo/client/react';
import { Alert, Anchor, Badge, Group, Text, Title } from '@mantine/core';
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs';
import IconMoodEmpty from '@tabler/icons-react/dist/esm/icons/IconMoodEmpty.mjs';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { RemovePosts } from '../../../features/removals/remove-posts';
import { reportReasonKeys, reportReasons } from '../../../features/reports/report-type';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PersonAvatar } from '../../../components/person-avatar';
import { GiversLink } from '../../../features/vote-cases/givers-link';
import { ExactTime } from '../../../components/exact-time';
import { MarkedWords } from '../../../components/rich-text/inline-text';
import { SafeHtml } from '../../../components/rich-text/safe-html';
import { SkeletonRows } from '../../../components/skeletons';
import { ModerationCaseDocument, type ModerationCaseFragment } from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { PersonLink } from '../../../features/people/person-link';
import { shownName } from '../../../lib/api/erased';
import { errorCode } from '../../../lib/api/errors';
import { paths } from '../../../lib/paths';
import { wholeNumber } from '../../../lib/format';
import { CaseActions } from './case-actions';
import { CaseDecisions } from './case-decisions';
import { CaseVotes } from './case-votes';
import classes from './moderation.module.css';

/** Translates a report reason; returns an unknown one as it is. */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation('ask', { keyPrefix: 'report' });
  return (reason) => {
    const key = reportReasonKeys.find((known) => reportReasons[known] === reason);
    return key === undefined ? reason : t(`reasons.${key}`);
  };
}

const notFoundCodes: ReadonlySet<string | undefined> = new Set(['NOT_FOUND', 'VALIDATION_FAILED']);

interface CaseViewProps {
  postId: string;
  /** Called after the moderator has decided the case. */
  onDecided: () => void;
}

export function CaseView({ postId, onDecided }: CaseViewProps) {
  const { t } = useTranslation('moderation');
  const { data, error, refetch } = useQuery(ModerationCaseDocument, {
    variables: { postId },
    fetchPolicy: 'cache-and-network',
  });
  const shown = data?.getModerationCase;
  if (error && notFoundCodes.has(errorCode(error)))
    return <EmptyState icon={IconMoodEmpty} title={t('unknown')} text={t('unknownText')} />;
  if (!shown)
    return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonRows count={5} />;
  return <KnownCase shown={shown} onDecided={onDecided} />;
}

function KnownCase({ shown, onDecided }: { shown: ModerationCaseFragment; onDecided: () => void }) {
  const { t } = useTranslation(['moderation', 'spaces']);
  return (
    <article className={classes.article} aria-label={shown.title}>
      <Changes shown={shown} />
      {shown.isSpaceArchived && <Alert color="gray">{t('spaces:archivedText')}</Alert>}
      {shown.removalId !== null && <OfRemoval removalId={shown.removalId} />}
      <header className={classes.head}>
        <Title order={2} size="h3" className={classes.title} dir="auto">
          {shown.title}
        </Title>
        <Group gap="xs">
          <Badge variant="default" tt="none">
            {t(`postTypes.${shown.postType}`)}
          </Badge>
          {shown.isUpheld && (
            <Badge color="red.8" tt="none">
              {t('removed')}
            </Badge>
          )}
          {shown.isDeleted && (
            <Badge variant="default" tt="none">
              {t('deleted')}
            </Badge>
          )}
          {shown.assignee && (
            <Badge variant="light" tt="none">
              {t('assignedTo', { name: shownName(shown.assignee) })}
            </Badge>
          )}
        </Group>
        <Byline shown={shown} />
      </header>
      <div className={classes.post}>
        {shown.postType === 'QUESTION' || shown.postType === 'ANSWER' ? (
          <SafeHtml html={shown.body} />
        ) : (
          <p className={classes.comment} dir="auto">
            <MarkedWords text={shown.body} hasLinks />
          </p>
        )}
        {shown.imageUrls.map((url) => (
          <img key={url} src={url} alt={t('image')} loading="lazy" />
        ))}
      </div>
      <CaseActions shown={shown} onDecided={onDecided} />
      {shown.reportsTotal > 0 && <CaseReports shown={shown} />}
      <AuthorRecord shown={shown} />
      <CaseVotes shown={shown} />
      <CaseDecisions title={t('history')} decisions={shown.decisions} />
    </article>
  );
}

function OfRemoval({ removalId }: { removalId: string }) {
  const { t } = useTranslation('moderation', { keyPrefix: 'removals' });
  return (
    <Alert color="gray" icon={<IconInfoCircle />}>
      {t('inCase')}{' '}
      <Anchor component={Link} to={paths.removal(removalId)} inherit>
        {t('show')}
      </Anchor>
    </Alert>
  );
}

function Byline({ shown: { author, createdAt, spaceId, spaceName } }: { shown: ModerationCaseFragment }) {
  return (
    <p className={classes.byline}>
      {author && (
        <>
          <PersonAvatar person={author} size={24} />
          <PersonLink person={author} space={spaceId}>
            {shownName(author)}
          </PersonLink>
        </>
      )}
      <span>{spaceName}</span>
      {createdAt !== null && <ExactTime at={createdAt} />}
    </p>
  );
}

/** Changes by others since the case was opened. */
function Changes({ shown }: { shown: ModerationCaseFragment }) {
  const { t } = useTranslation('moderation');
  const user = useAuthUser();
  const [opened, setOpened] = useState({ revision: shown.revision, reports: shown.reportsTotal });
  const [last] = shown.decisions;
  const isDecided = shown.revision !== opened.revision && last && last.moderator?._id !== user?._id;
  const isReported = shown.reportsTotal > opened.reports;
  if (!isDecided && !isReported) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      icon={<IconInfoCircle />}
      withCloseButton
      closeButtonLabel={t('ok')}
      onClose={() => setOpened({ revision: shown.revision, reports: shown.reportsTotal })}
    >
      {isDecided ? (
        <>
          {t(`decisionBy.${last.decision}`, {
            name: last.moderator ? shownName(last.moderator) : t('someone'),
            to: last.toModerator ? shownName(last.toModerator) : t('everyone'),
          })}{' '}
          <ExactTime at={last.at} />
          {last.reason !== '' && (
            <span className={classes.quoted} dir="auto">
              {last.reason}
            </span>
          )}
        </>
      ) : (
        t('newReports', { count: shown.reportsTotal - opened.reports })
      )}
    </Alert>
  );
}

/** The author's record in the space. */
function AuthorRecord({ shown: { record, author, spaceId } }: { shown: ModerationCaseFragment }) {
  const { t, i18n } = useTranslation('moderation');
  const numbers = [
    ['score', record.score],
    ['questionsAsked', record.questionsAsked],
    ['questionsAnswered', record.questionsAnswered],
    ['reportedPosts', record.reportedPosts],
    ['removedPosts', record.removedPosts],
    ['upheldReports', record.upheldReports],
    ['dismissedReports', record.dismissedReports],
    ['warnings', record.warnings],
  ] as const;
  return (
    <section aria-labelledby="author-record">
      <Title order={3} size="h4" id="author-record">
        {t('record.title')}
      </Title>
      <dl className={classes.numbers}>
        {numbers.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`record.${key}`)}</dt>
            <dd>{wholeNumber(value, i18n.language)}</dd>
          </div>
        ))}
      </dl>
      {record.suspendedUntil !== null && (
        <p className={classes.hint}>
          {t('record.suspendedUntil')} <ExactTime at={record.suspendedUntil} />
        </p>
      )}
      {author && (
        <Group gap="md">
          <GiversLink space={spaceId} author={author._id} />
          {record.arePostsRemovable && <RemovePosts author={author} space={spaceId} />}
        </Group>
      )}
      {record.blocks.length > 0 && (
        <ul className={classes.plain}>
          {[...record.blocks].reverse().map((block) => (
            <li key={block.at + block.kind}>
              {t(`record.${block.kind}`)} <ExactTime at={block.at} />
              {block.reason && (
                <span className={classes.quoted} dir="auto">
                  {block.reason}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {record.decisions.length > 0 && (
        <CaseDecisions title={t('record.decisions')} decisions={record.decisions} areLinked />
      )}
    </section>
  );
}

/** Reporters and reasons. Visible only to moderators. */
function CaseReports({ shown }: { shown: ModerationCaseFragment }) {
  const { t } = useTranslation('moderation');
  const reasonText = useReasonText();
  const { reports, reportsTotal, spaceId } = shown;
  return (
    <section aria-labelledby="case-reports">
      <Title order={3} size="h4" id="case-reports">
        {t('reportsTitle')}
      </Title>
      <p className={classes.hint}>{t('confidential')}</p>
      <DataTable
        aria-labelledby="case-reports"
        minWidth={520}
        verticalSpacing="xs"
        rows={reports}
        keyOf={({ reporterId }) => reporterId}
        columns={[
          {
            label: t('columns.reporter'),
            isRowHeader: true,
            cell: ({ reporter }) => (
              <Text span inherit fw={500}>
                {reporter ? (
                  <PersonLink person={reporter} space={spaceId}>
                    {shownName(reporter)}
                  </PersonLink>
                ) : (
                  t('someone')
                )}
              </Text>
            ),
          },
          { label: t('columns.reason'), cell: ({ reason }) => reasonText(reason) },
          {
            label: t('columns.record'),
            cell: ({ upheldBefore, dismissedBefore }) =>
              t('reporterRecord', { upheld: upheldBefore, dismissed: dismissedBefore }),
          },
          { label: t('columns.outcome'), cell: ({ outcome }) => t(`outcomes.${outcome}`) },
          { label: t('columns.when'), cell: ({ at }) => <ExactTime at={at} /> },
        ]}
      />
      {reportsTotal > reports.length && (
        <p className={classes.hint}>{t('moreReports', { count: reportsTotal - reports.length })}</p>
      )}
    </section>
  );
}
