import { useQuery } from '@apollo/client/react';
import { Anchor, Skeleton, Table, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { AuditActDocument, type AuditActQuery } from '../../generated/graphql';
import { wholeNumber } from '../../lib/format';
import { ActFacts } from './act-facts';
import { ActLines } from './act-lines';
import { auditPath } from './audit-links';
import classes from './audit.module.css';
import { usePersonName } from './use-person-name';

type Act = NonNullable<AuditActQuery['getAuditEntry']>;

/** One event with everything that the log says of it. */
export default function ActScreen() {
  const { t, i18n } = useTranslation('audit');
  const { ordinal: named = '' } = useParams();
  const ordinal = /^\d{1,9}$/.test(named) ? Number(named) : 0;
  const { data, error, refetch } = useQuery(AuditActDocument, { variables: { ordinal } });
  const act = data?.getAuditEntry;
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.audit} className={classes.back}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('links.back')}
      </Anchor>
      <PageHeading>{t('act.title', { ordinal: wholeNumber(ordinal, i18n.language) })}</PageHeading>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={320} radius="lg" />}
      {data && !act && (
        <EmptyState icon={IconHistory} title={t('act.missingTitle')} text={t('act.missingText')} />
      )}
      {act && (
        <>
          <ActFacts act={act} />
          <Data act={act} />
          <ActLines ordinal={ordinal} />
        </>
      )}
    </div>
  );
}

/** The values of the event as they were written. */
function Data({ act: { data } }: { act: Act }) {
  const { t } = useTranslation('audit');
  const nameOf = usePersonName();
  return (
    <section aria-labelledby="act-data">
      <Title order={2} size="h4" id="act-data" mb="xs">
        {t('act.data')}
      </Title>
      <Table className={classes.facts} layout="fixed">
        <Table.Tbody>
          {data.map(({ name, value, isErased, person }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>
                {person && (
                  <Anchor component={Link} to={auditPath({ view: 'receiver', of: person._id })} mr="sm">
                    {nameOf(person)}
                  </Anchor>
                )}
                <span className={value === null ? classes.nothing : classes.value}>
                  {isErased ? t('person.erased') : (value ?? t('act.none'))}
                </span>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
