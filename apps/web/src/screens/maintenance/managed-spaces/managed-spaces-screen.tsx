import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconSchool from '@tabler/icons-react/dist/esm/icons/IconSchool.mjs';
import { useState, type CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { LoadedRows } from '../../../components/paged-rows';
import { PageHeading } from '../../../components/page-heading';
import { ChangeNote, useLatestChange } from '../../../features/managed-content/managed-screen';
import classes from '../../../features/managed-content/managed.module.css';
import { SpaceDialog } from '../../../features/managed-content/space-dialog';
import { ManagedSpacesDocument, type ManagedSpacePartsFragment } from '../../../generated/graphql';
import { cssHex, wholeNumber } from '../../../lib/format';
import { idOf } from '../../../lib/api/paged-list';

/** All spaces, and a dialog to create one. */
export default function ManagedSpacesScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(ManagedSpacesDocument, { fetchPolicy: 'cache-and-network' });
  const [isAdding, setAdding] = useState(false);
  const { change, showChange, clear } = useLatestChange();
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {t('spaces.add')}
    </Button>
  );
  return (
    <div className={classes.screen}>
      <PageHeading actions={add}>{t('spaces.title')}</PageHeading>
      <p className={classes.lead}>{t('spaces.lead')}</p>
      <ChangeNote change={change} onClose={clear} />
      <LoadedRows
        list={{ rows: data?.getManagedSpaces, error, refetch: () => void refetch() }}
        count={5}
        height={48}
        empty={<EmptyState icon={IconSchool} title={t('spaces.emptyTitle')} text={t('spaces.emptyText')} />}
      >
        {(spaces) => <SpaceTable spaces={spaces} />}
      </LoadedRows>
      {isAdding && (
        <SpaceDialog
          onClose={() => setAdding(false)}
          onSaved={(_, ordinal) => {
            setAdding(false);
            showChange(ordinal);
            void refetch();
          }}
        />
      )}
    </div>
  );
}

function SpaceTable({ spaces }: { spaces: readonly ManagedSpacePartsFragment[] }) {
  const { t, i18n } = useTranslation('content');
  const number = (value: number) => wholeNumber(value, i18n.language);
  const numeric = { className: classes.number };
  return (
    <section className={classes.panel} aria-label={t('spaces.title')}>
      <DataTable
        minWidth={640}
        verticalSpacing="sm"
        rows={spaces}
        keyOf={idOf}
        columns={[
          { label: t('name'), cell: (space) => <SpaceName space={space} /> },
          { label: t('spaces.members'), cellProps: numeric, cell: (space) => number(space.memberCount) },
          { label: t('spaces.subjects'), cellProps: numeric, cell: (space) => number(space.subjectCount) },
          { label: t('spaces.topics'), cellProps: numeric, cell: (space) => number(space.topicCount) },
          {
            label: t('spaces.entry'),
            cell: (space) => (space.isArchived ? t('space.archived') : t(`spaces.entryOf.${space.entry}`)),
          },
          {
            label: t('spaces.searchEngines'),
            cell: (space) =>
              space.hiddenFromSearchEngines ? (
                <Badge variant="default" tt="none">
                  {t('spaces.isHidden')}
                </Badge>
              ) : (
                t('spaces.isFound')
              ),
          },
        ]}
      />
    </section>
  );
}

function SpaceName({ space }: { space: ManagedSpacePartsFragment }) {
  return (
    <span className={classes.named}>
      <span className={classes.swatch} style={{ '--swatch': cssHex(space.color) } as CSSProperties} />
      <Anchor component={Link} to={paths.managedSpace(space._id)} fw={600}>
        {space.name}
      </Anchor>
    </span>
  );
}
