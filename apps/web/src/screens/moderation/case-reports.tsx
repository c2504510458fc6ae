import { Anchor, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { DataTable } from '../../components/data-table';
import { RelativeTime } from '../../components/relative-time';
import type { ModerationCaseFragment } from '../../generated/graphql';
import { useReasonText } from './use-reason-text';
import classes from './moderation.module.css';

/** Who reported the post and why; only moderators ever see this. */
export function CaseReports({ shown }: { shown: ModerationCaseFragment }) {
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
        verticalSpacing="xs"
        rows={reports}
        keyOf={({ reporterId }) => reporterId}
        columns={[
          {
            label: t('columns.reporter'),
            isRowHeader: true,
            cell: ({ reporter, reporterId }) => (
              <Text span inherit fw={500}>
                {reporter?.userName ? (
                  <Anchor component={Link} to={paths.userDetail(reporterId, spaceId)} inherit>
                    {reporter.userName}
                  </Anchor>
                ) : (
                  t('somebody')
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
          { label: t('columns.when'), cell: ({ at }) => <RelativeTime at={at} /> },
        ]}
      />
      {reportsTotal > reports.length && (
        <p className={classes.hint}>{t('moreReports', { count: reportsTotal - reports.length })}</p>
      )}
    </section>
  );
}
