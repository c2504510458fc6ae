import { Button, Checkbox, Table, TextInput, VisuallyHidden } from '@mantine/core';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { MoreButton } from '../../components/more-button';
import { SkeletonRows } from '../../components/skeletons';
import { ActNote, useLatestAct } from '../../features/managed-content/act-note';
import classes from '../../features/managed-content/managed.module.css';
import { PersonCell } from '../../features/managed-content/person-cell';
import { useSearchText } from '../../features/managed-content/use-search-text';
import { ManagedStudentsDocument, type ManagedStudentPartsFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { wholeNumber } from '../../lib/format';
import { usePages } from '../../lib/use-pages';
import { BlockDialog } from './block-dialog';
import { EraseDialog } from './erase-dialog';
import { ResetFactorDialog } from './reset-factor-dialog';
import { SecurityLogDialog } from './security-log-dialog';

/** What is being asked about a student before it is done, or shown. */
interface About {
  act: 'block' | 'erase' | 'resetFactor' | 'securityLog';
  student: ManagedStudentPartsFragment;
}

/** Students of all spaces: found by name, phone number or id, blocked and unblocked. */
export default function ManagedStudentsScreen() {
  const { t } = useTranslation('content');
  const { text, setText, asked } = useSearchText();
  const [isBlockedOnly, setBlockedOnly] = useState(false);
  const list = useStudents(asked, isBlockedOnly);
  const { act, tell, clear } = useLatestAct();
  const [about, setAbout] = useState<About>();
  const acted = (ordinal: number | null) => {
    setAbout(undefined);
    tell(ordinal);
    list.refetch();
  };
  return (
    <div className={classes.screen}>
      <PageHeading>{t('students.title')}</PageHeading>
      <p className={classes.lead}>{t('students.lead')}</p>
      <ActNote act={act} onClose={clear} />
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
      <StudentList list={list} onAsk={setAbout} />
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

function useStudents(search: string, isBlockedOnly: boolean) {
  const { rows, ...list } = usePages(
    ManagedStudentsDocument,
    { search, isBlocked: isBlockedOnly ? true : null, page: 1 },
    ({ getManagedStudents }) => getManagedStudents,
    (getManagedStudents) => ({ getManagedStudents }),
  );
  return { students: rows, ...list };
}

interface StudentListProps {
  list: ReturnType<typeof useStudents>;
  onAsk: (about: About) => void;
}

function StudentList({ list, onAsk }: StudentListProps) {
  const { t } = useTranslation('content');
  const { students, error, hasNext, nextPage, refetch } = list;
  if (error && !students) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!students) return <SkeletonRows count={6} height={56} />;
  if (students.length === 0)
    return <EmptyState icon={IconUsers} title={t('noneFoundTitle')} text={t('noneFoundText')} />;
  return (
    <section className={classes.panel} aria-label={t('students.title')}>
      <Table.ScrollContainer minWidth={560}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('roles.student')}</Table.Th>
              <Table.Th className={classes.number}>{t('students.spaces')}</Table.Th>
              <Table.Th>{t('students.status')}</Table.Th>
              <Table.Th>
                <VisuallyHidden>{t('actions')}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {students.map((student) => (
              <StudentRow key={student._id} student={student} onAsk={(act) => onAsk({ act, student })} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {hasNext && (
        <MoreButton
          display="block"
          mx="auto"
          mt="md"
          isLoading={nextPage.isLoading}
          error={nextPage.error}
          onMore={nextPage.load}
        >
          {t('more')}
        </MoreButton>
      )}
    </section>
  );
}

interface StudentRowProps {
  student: ManagedStudentPartsFragment;
  onAsk: (act: About['act']) => void;
}

function StudentRow({ student, onAsk }: StudentRowProps) {
  const { t, i18n } = useTranslation('content');
  const isOneself = useAuthUser()?._id === student._id;
  const { isBlocked, hasSecondFactor, erasureDueAt, userName: name, roles } = student;
  const erasing = erasureDueAt === null ? 'erase' : 'keep';
  return (
    <Table.Tr>
      <Table.Td>
        <PersonCell student={student} />
      </Table.Td>
      <Table.Td className={classes.number}>{wholeNumber(student.spaceCount, i18n.language)}</Table.Td>
      <Table.Td>
        {t(isBlocked ? 'students.blocked' : 'students.active')}
        {erasureDueAt !== null && ` · ${t('students.leaving')}`}
      </Table.Td>
      <Table.Td>
        <div className={classes.actions}>
          {!isOneself && roles.length > 0 && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('students.securityLogOne', { name })}
              onClick={() => onAsk('securityLog')}
            >
              {t('students.securityLog')}
            </Button>
          )}
          {!isOneself && hasSecondFactor && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('students.resetFactorOne', { name })}
              onClick={() => onAsk('resetFactor')}
            >
              {t('students.resetFactor')}
            </Button>
          )}
          {!isOneself && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t(isBlocked ? 'students.unblockOne' : 'students.blockOne', { name })}
              onClick={() => onAsk('block')}
            >
              {t(isBlocked ? 'students.unblock' : 'students.block')}
            </Button>
          )}
          {!isOneself && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t(`students.${erasing}One`, { name })}
              onClick={() => onAsk('erase')}
            >
              {t(`students.${erasing}`)}
            </Button>
          )}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}
