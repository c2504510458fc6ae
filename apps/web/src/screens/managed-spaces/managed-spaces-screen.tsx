import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Table } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconSchool from '@tabler/icons-react/dist/esm/icons/IconSchool.mjs';
import { useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { ActNote, useLatestAct } from '../../features/managed-content/act-note';
import classes from '../../features/managed-content/managed.module.css';
import { SpaceDialog } from '../../features/managed-content/space-dialog';
import { ManagedSpacesDocument, type ManagedSpacePartsFragment } from '../../generated/graphql';
import { cssHex } from '../../lib/colour';
import { wholeNumber } from '../../lib/format';

/** All spaces, and the way to make one. */
export default function ManagedSpacesScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(ManagedSpacesDocument, { fetchPolicy: 'cache-and-network' });
  const [isAdding, setAdding] = useState(false);
  const { act, tell, clear } = useLatestAct();
  const spaces = data?.getManagedSpaces;
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {t('spaces.add')}
    </Button>
  );
  return (
    <div className={classes.screen}>
      <PageHeading actions={add}>{t('spaces.title')}</PageHeading>
      <p className={classes.lead}>{t('spaces.lead')}</p>
      <ActNote act={act} onClose={clear} />
      {error && !spaces && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!spaces && !error && <SkeletonRows count={5} height={48} />}
      {spaces?.length === 0 && (
        <EmptyState icon={IconSchool} title={t('spaces.emptyTitle')} text={t('spaces.emptyText')} />
      )}
      {spaces && spaces.length > 0 && <SpaceTable spaces={spaces} />}
      {isAdding && (
        <SpaceDialog
          onClose={() => setAdding(false)}
          onSaved={(_, ordinal) => {
            setAdding(false);
            tell(ordinal);
            void refetch();
          }}
        />
      )}
    </div>
  );
}

function SpaceTable({ spaces }: { spaces: readonly ManagedSpacePartsFragment[] }) {
  const { t, i18n } = useTranslation('content');
  return (
    <section className={classes.panel} aria-label={t('spaces.title')}>
      <Table.ScrollContainer minWidth={640}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('name')}</Table.Th>
              <Table.Th className={classes.number}>{t('spaces.members')}</Table.Th>
              <Table.Th className={classes.number}>{t('spaces.subjects')}</Table.Th>
              <Table.Th className={classes.number}>{t('spaces.topics')}</Table.Th>
              <Table.Th>{t('spaces.entry')}</Table.Th>
              <Table.Th>{t('spaces.searchEngines')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {spaces.map((space) => (
              <Table.Tr key={space._id}>
                <Table.Td>
                  <span className={classes.named}>
                    <span
                      className={classes.swatch}
                      style={{ '--swatch': cssHex(space.color) } as CSSProperties}
                    />
                    <Anchor component={Link} to={paths.managedSpace(space._id)} fw={600}>
                      {space.name}
                    </Anchor>
                  </span>
                </Table.Td>
                <Table.Td className={classes.number}>
                  {wholeNumber(space.memberCount, i18n.language)}
                </Table.Td>
                <Table.Td className={classes.number}>
                  {wholeNumber(space.subjectCount, i18n.language)}
                </Table.Td>
                <Table.Td className={classes.number}>{wholeNumber(space.topicCount, i18n.language)}</Table.Td>
                <Table.Td>{t(`spaces.entryOf.${space.entry}`)}</Table.Td>
                <Table.Td>
                  {space.hiddenFromSearchEngines ? (
                    <Badge variant="default" tt="none">
                      {t('spaces.isHidden')}
                    </Badge>
                  ) : (
                    t('spaces.isFound')
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
