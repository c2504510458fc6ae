import { Button, Checkbox, TextInput } from '@mantine/core';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { PageHeading } from '../../../components/page-heading';
import { LoadedRows } from '../../../components/paged-rows';
import {
  ChangeNote,
  MoreRows,
  PersonCell,
  useLatestChange,
  useSearchText,
} from '../../../features/managed-content/managed-screen';
import classes from '../../../features/managed-content/managed.module.css';
import { ManagedStudentsDocument, type ManagedStudentPartsFragment } from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { wholeNumber } from '../../../lib/format';
import { refetchOnMount, idOf, usePagedList, type PagedList } from '../../../lib/api/paged-list';
import { BlockDialog, EraseDialog, ResetFactorDialog, SecurityLogDialog } from './student-dialogs';

/** The open dialog and the student it is about. */
interface About {
  act: 'block' | 'erase' | 'resetFactor' | 'securityLog';
  student: ManagedStudentPartsFragment;
}

/** Students of all spaces: search, block, delete and reset. */
export default function ManagedStudentsScreen() {
  const { t } = useTranslation('content');
  const { text, setText, query } = useSearchText();
  const [isBlockedOnly, setBlockedOnly] = useState(false);
  const list = usePagedList(
    ManagedStudentsDocument,
    { search: query, isBlocked: isBlockedOnly ? true : null, page: 1 },
    'getManagedStudents',
    refetchOnMount,
  );
  const { change, showChange, clear } = useLatestChange();
  const [about, setAbout] = useState<About>();
  const acted = (ordinal: number | null) => {
    setAbout(undefined);
    showChange(ordinal);
    list.refetch();
  };
  return (
    <div className={classes.screen}>
      <PageHeading>{t('students.title')}</PageHeading>
      <p className={classes.lead}>{t('students.lead')}</p>
      <ChangeNote change={change} onClose={clear} />
      <div className={classes.tools}>
        <TextInput
          className={classes.grow}
          type="search"
          label={t('students.search')}
          description={t('students.searchHint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Checkbox
          mb="xs"
          label={t('students.blockedOnly')}
          checked={isBlockedOnly}
          onChange={(event) => setBlockedOnly(event.currentTarget.checked)}
        />
      </div>
      <StudentList list={list} onSelect={setAbout} />
      {about?.act === 'block' && (
        <BlockDialog student={about.student} onClose={() => setAbout(undefined)} onSaved={acted} />
      )}
      {about?.act === 'erase' && (
        <EraseDialog student={about.student} onClose={() => setAbout(undefined)} onSaved={acted} />
      )}
      {about?.act === 'resetFactor' && (
        <ResetFactorDialog student={about.student} onClose={() => setAbout(undefined)} onSaved={acted} />
      )}
      {about?.act === 'securityLog' && (
        <SecurityLogDialog student={about.student} onClose={() => setAbout(undefined)} />
      )}
    </div>
  );
}

interface StudentListProps {
  list: PagedList<ManagedStudentPartsFragment>;
  onSelect: (about: About) => void;
}

function StudentList({ list, onSelect }: StudentListProps) {
  const { t, i18n } = useTranslation('content');
  const empty = <EmptyState icon={IconUsers} title={t('noneFoundTitle')} text={t('noneFoundText')} />;
  return (
    <LoadedRows list={list} count={6} height={56} empty={empty}>
      {(students) => (
        <section className={classes.panel} aria-label={t('students.title')}>
          <DataTable
            minWidth={560}
            verticalSpacing="sm"
            rows={students}
            keyOf={idOf}
            columns={[
              { label: t('roles.student'), cell: (student) => <PersonCell student={student} /> },
              {
                label: t('students.spaces'),
                cellProps: { className: classes.number },
                cell: ({ spaceCount }) => wholeNumber(spaceCount, i18n.language),
              },
              {
                label: t('students.status'),
                cell: ({ isBlocked, erasureDueAt }) =>
                  [
                    t(isBlocked ? 'students.blocked' : 'students.active'),
                    ...(erasureDueAt === null ? [] : [t('students.deletionRequested')]),
                  ].join(' · '),
              },
              {
                label: t('actions'),
                isLabelHidden: true,
                cell: (student) => (
                  <StudentActions student={student} onSelect={(act) => onSelect({ act, student })} />
                ),
              },
            ]}
          />
          <MoreRows list={list} />
        </section>
      )}
    </LoadedRows>
  );
}

interface StudentActionsProps {
  student: ManagedStudentPartsFragment;
  onSelect: (act: About['act']) => void;
}

/** No actions on the caller's own account. */
function StudentActions({ student, onSelect }: StudentActionsProps) {
  const { t } = useTranslation('content');
  const isOneself = useAuthUser()?._id === student._id;
  const { isBlocked, hasSecondFactor, erasureDueAt, userName: name, roles } = student;
  const erasing = erasureDueAt === null ? 'erase' : 'keep';
  const blocking = isBlocked ? 'unblock' : 'block';
  const actions = [
    roles.length > 0 && (['securityLog', 'securityLog'] as const),
    hasSecondFactor && (['resetFactor', 'resetFactor'] as const),
    ['block', blocking] as const,
    ['erase', erasing] as const,
  ];
  return (
    <div className={classes.actions}>
      {!isOneself &&
        actions
          .filter((action) => action !== false)
          .map(([act, label]) => (
            <Button
              key={act}
              variant="default"
              size="compact-sm"
              aria-label={t(`students.${label}One`, { name })}
              onClick={() => onSelect(act)}
            >
              {t(`students.${label}`)}
            </Button>
          ))}
    </div>
  );
}
