import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialogs';
import { ErrorNotice } from '../../../components/notices';
import { RelativeTime } from '../../../components/relative-time';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { useOwnAreas } from '../../../features/areas/own-areas';
import {
  RemoveStudentNoteDocument,
  StudentNotesDocument,
  WriteStudentNoteDocument,
  type StudentNoteFragment,
} from '../../../generated/graphql';
import { useAuthUser } from '../../../lib/auth-storage';
import { errorText } from '../../../lib/api/errors';
import { ConfidentialSection } from './confidential-section';
import classes from './user-detail.module.css';
import { shownName } from '../../../lib/api/erased';

const MAX_NOTE_LENGTH = 1000;

interface StudentNotesProps {
  studentId: string;
  space: string;
}

/** Moderators' notes about a student. */
export function StudentNotes(props: StudentNotesProps) {
  const { t } = useTranslation('userDetail');
  return (
    <ConfidentialSection title={t('notes')} hint={t('notesHint')} showLabel={t('showNotes')}>
      <OpenNotes {...props} />
    </ConfidentialSection>
  );
}

function OpenNotes({ studentId, space }: StudentNotesProps) {
  const { t } = useTranslation('userDetail');
  const [removing, setRemoving] = useState<StudentNoteFragment>();
  const { data, error, refetch } = useQuery(StudentNotesDocument, {
    variables: { studentId, space },
    fetchPolicy: 'network-only',
  });
  const [remove, { loading: isRemoving }] = useMutation(RemoveStudentNoteDocument, {
    onCompleted: () => {
      setRemoving(undefined);
      toast.success(t('noteRemoved'));
      void refetch();
    },
    onError: (failure) => toast.error(errorText(failure)),
  });
  const notes = data?.getStudentNotes;
  if (error && !notes) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!notes) return <SkeletonRows count={1} height={72} />;
  return (
    <>
      <NoteForm studentId={studentId} space={space} onSaved={() => void refetch()} />
      {notes.length === 0 ? (
        <p className={classes.dimmed}>{t('noNotes')}</p>
      ) : (
        <ul className={classes.posts} aria-label={t('notes')}>
          {notes.map((note) => (
            <Note key={note._id} note={note} onRemove={() => setRemoving(note)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={removing !== undefined}
        title={t('removeNoteTitle')}
        text={t('removeNoteText')}
        confirmLabel={t('removeNote')}
        danger
        pending={isRemoving}
        onConfirm={() => removing && void remove({ variables: { studentId, space, note: removing._id } })}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}

/** Only its author or a maintainer may remove it. */
function Note({ note, onRemove }: { note: StudentNoteFragment; onRemove: () => void }) {
  const { t } = useTranslation('userDetail');
  const me = useAuthUser()?._id;
  const isMaintainer = useOwnAreas()?.includes('maintenance') ?? false;
  const author = shownName(note.author);
  return (
    <li className={classes.note}>
      <div className={classes.meta}>
        <span className={classes.kind}>{author}</span>
        <RelativeTime at={note.writtenAt} />
        {(isMaintainer || note.author?._id === me) && (
          <Button
            className={classes.removeNote}
            variant="subtle"
            color="gray"
            c="dimmed"
            size="compact-sm"
            onClick={onRemove}
          >
            {t('removeNote')}
          </Button>
        )}
      </div>
      <p className={classes.noteText} dir="auto">
        {note.text}
      </p>
    </li>
  );
}

function NoteForm({ studentId, space, onSaved }: StudentNotesProps & { onSaved: () => void }) {
  const { t } = useTranslation('userDetail');
  const [text, setText] = useState('');
  const [isTried, setIsTried] = useState(false);
  const isBlank = text.trim() === '';
  const [write, { loading }] = useMutation(WriteStudentNoteDocument, {
    onCompleted: () => {
      setText('');
      setIsTried(false);
      toast.success(t('noteSaved'));
      onSaved();
    },
    onError: (error) => toast.error(errorText(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!isBlank && !loading) void write({ variables: { studentId, space, text } });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs" my="sm">
        <Textarea
          label={t('note')}
          value={text}
          error={isTried && isBlank ? t('noteMissing') : undefined}
          maxLength={MAX_NOTE_LENGTH}
          autosize
          minRows={2}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('noteLength', { length: text.length, max: MAX_NOTE_LENGTH })}
          </Text>
          <Button type="submit" loading={loading}>
            {t('saveNote')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
