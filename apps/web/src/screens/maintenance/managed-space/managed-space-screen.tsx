import { useQuery } from '@apollo/client/react';
import { Anchor, Badge, Button, Group, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconBooks from '@tabler/icons-react/dist/esm/icons/IconBooks.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconSchool from '@tabler/icons-react/dist/esm/icons/IconSchool.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SubjectChip } from '../../../components/chips';
import { ChangeNote, useLatestChange } from '../../../features/managed-content/managed-screen';
import classes from '../../../features/managed-content/managed.module.css';
import { Invitations } from '../../../features/entry/invitations';
import { StudentInvitations } from '../../../features/entry/student-invitations';
import { SpaceDialog } from '../../../features/managed-content/space-dialog';
import {
  ManagedSpaceDetailDocument,
  type ManagedSpacePartsFragment,
  type ManagedSubjectPartsFragment,
} from '../../../generated/graphql';
import { errorCode } from '../../../lib/api/errors';
import { wholeNumber } from '../../../lib/format';
import { idOf } from '../../../lib/api/paged-list';
import { ArchiveButton } from './archive-button';
import { DeleteButton } from './delete-button';
import { SubjectDialog } from './subject-dialog';
import { TopicPanel } from './topic-panel';

/** One space with its subjects and the topics of the selected subject. */
export default function ManagedSpaceScreen() {
  const { spaceId = '' } = useParams();
  const { data, error, refetch } = useQuery(ManagedSpaceDetailDocument, {
    variables: { id: spaceId },
    fetchPolicy: 'cache-and-network',
  });
  const space = data?.getManagedSpace;
  const isUnknown =
    space === null ||
    (error !== undefined && ['VALIDATION_FAILED', 'NOT_FOUND'].includes(String(errorCode(error))));
  return (
    <div className={classes.screen}>
      <BackLink />
      {isUnknown && <UnknownSpace />}
      {error && !data && !isUnknown && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <SkeletonRows count={6} />}
      {space && (
        <SpaceWithSubjects
          key={space._id}
          space={space}
          subjects={data.getManagedSubjects}
          onChanged={() => void refetch()}
        />
      )}
    </div>
  );
}

function BackLink() {
  const { t } = useTranslation('content');
  return (
    <Anchor component={Link} to={paths.managedSpaces} size="sm" className={classes.named} mb="xs">
      <IconArrowLeft size={16} stroke={1.75} aria-hidden />
      {t('space.back')}
    </Anchor>
  );
}

function UnknownSpace() {
  const { t } = useTranslation('content');
  return (
    <EmptyState
      icon={IconSchool}
      titleOrder={1}
      title={t('space.unknownTitle')}
      text={t('space.unknownText')}
    />
  );
}

interface SpaceWithSubjectsProps {
  space: ManagedSpacePartsFragment;
  subjects: readonly ManagedSubjectPartsFragment[];
  onChanged: () => void;
}

function SpaceWithSubjects({ space, subjects, onChanged }: SpaceWithSubjectsProps) {
  const { t } = useTranslation('content');
  const { change, showChange, clear } = useLatestChange();
  const [isEditing, setEditing] = useState(false);
  const [chosenId, setChosenId] = useState<string>();
  const chosen = subjects.find(({ _id }) => _id === chosenId) ?? subjects[0];
  const acted = (ordinal: number | null) => {
    showChange(ordinal);
    onChanged();
  };
  return (
    <>
      <PageHeading
        actions={
          <Group gap="sm">
            <ArchiveButton space={space} onActed={acted} />
            {space.isArchived && <DeleteButton space={space} />}
            {!space.isArchived && (
              <Button
                variant="default"
                leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
                onClick={() => setEditing(true)}
              >
                {t('space.editSpace')}
              </Button>
            )}
          </Group>
        }
      >
        {space.name}
      </PageHeading>
      {space.isArchived && (
        <Badge variant="default" tt="none" maw="100%">
          {t('space.archived')}
        </Badge>
      )}
      <p className={classes.lead} dir="auto">
        {space.description}
      </p>
      <ChangeNote change={change} onClose={clear} />
      <SubjectPanel
        spaceId={space._id}
        subjects={subjects}
        chosenId={chosen?._id}
        onChoose={setChosenId}
        onActed={acted}
      />
      {space.entry !== 'OPEN' && !space.isArchived && (
        <div className={classes.panel}>
          <Invitations spaceId={space._id} />
          <StudentInvitations spaceId={space._id} />
        </div>
      )}
      {chosen && <TopicPanel key={chosen._id} subject={chosen} onActed={acted} />}
      {isEditing && (
        <SpaceDialog
          space={space}
          onClose={() => {
            setEditing(false);
            onChanged();
          }}
          onSaved={(_, ordinal) => {
            setEditing(false);
            acted(ordinal);
          }}
        />
      )}
    </>
  );
}

interface SubjectPanelProps {
  spaceId: string;
  subjects: readonly ManagedSubjectPartsFragment[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
  onActed: (act: number | null) => void;
}

function SubjectPanel({ spaceId, subjects, chosenId, onChoose, onActed }: SubjectPanelProps) {
  const { t } = useTranslation('content');
  const [editing, setEditing] = useState<{ subject?: ManagedSubjectPartsFragment }>();
  return (
    <section className={classes.panel} aria-labelledby="subjects-heading">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="subjects-heading">
          {t('spaces.subjects')}
        </Title>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEditing({})}
        >
          {t('space.addSubject')}
        </Button>
      </Group>
      {subjects.length === 0 ? (
        <EmptyState
          icon={IconBooks}
          titleOrder={3}
          title={t('space.noSubjectsTitle')}
          text={t('space.noSubjectsText')}
        />
      ) : (
        <SubjectTable
          subjects={subjects}
          chosenId={chosenId}
          onChoose={onChoose}
          onEdit={(subject) => setEditing({ subject })}
        />
      )}
      {editing && (
        <SubjectDialog
          spaceId={spaceId}
          subject={editing.subject}
          onClose={() => setEditing(undefined)}
          onSaved={(act) => {
            setEditing(undefined);
            onActed(act);
          }}
        />
      )}
    </section>
  );
}

interface SubjectTableProps {
  subjects: readonly ManagedSubjectPartsFragment[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
  onEdit: (subject: ManagedSubjectPartsFragment) => void;
}

function SubjectTable({ subjects, chosenId, onChoose, onEdit }: SubjectTableProps) {
  const { t, i18n } = useTranslation('content');
  return (
    <DataTable
      minWidth={520}
      verticalSpacing="xs"
      rows={subjects}
      keyOf={idOf}
      columns={[
        { label: t('name'), cell: (subject) => <SubjectChip subject={subject} /> },
        {
          label: t('spaces.topics'),
          cellProps: { className: classes.number },
          cell: ({ topicCount }) => wholeNumber(topicCount, i18n.language),
        },
        {
          label: t('actions'),
          isLabelHidden: true,
          cell: (subject) => (
            <div className={classes.actions}>
              <Button
                variant={subject._id === chosenId ? 'light' : 'default'}
                size="compact-sm"
                aria-pressed={subject._id === chosenId}
                aria-label={t('space.showTopics', { name: subject.subjectName })}
                onClick={() => onChoose(subject._id)}
              >
                {t('spaces.topics')}
              </Button>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('space.editSubject', { name: subject.subjectName })}
                onClick={() => onEdit(subject)}
              >
                {t('edit')}
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
}
