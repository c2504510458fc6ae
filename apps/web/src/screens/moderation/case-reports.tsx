import { Anchor, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
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
      <Table aria-labelledby="case-reports" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('columns.reporter')}</Table.Th>
            <Table.Th>{t('columns.reason')}</Table.Th>
            <Table.Th>{t('columns.record')}</Table.Th>
            <Table.Th>{t('columns.outcome')}</Table.Th>
            <Table.Th>{t('columns.when')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reports.map((report) => (
            <Table.Tr key={report.reporterId}>
              <Table.Th scope="row" fw={500}>
                {report.reporter?.userName ? (
                  <Anchor component={Link} to={paths.userDetail(report.reporterId, spaceId)} inherit>
                    {report.reporter.userName}
                  </Anchor>
                ) : (
                  t('somebody')
                )}
              </Table.Th>
              <Table.Td>{reasonText(report.reason)}</Table.Td>
              <Table.Td>
                {t('reporterRecord', { upheld: report.upheldBefore, dismissed: report.dismissedBefore })}
              </Table.Td>
              <Table.Td>{t(`outcomes.${report.outcome}`)}</Table.Td>
              <Table.Td>
                <RelativeTime at={report.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {reportsTotal > reports.length && (
        <p className={classes.hint}>{t('moreReports', { count: reportsTotal - reports.length })}</p>
      )}
    </section>
  );
}
