import { useMutation } from '@apollo/client/react';
import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../components/notices';
import { toast } from '../../../components/toast';
import { PublishScoringDraftDocument, type ScoringTrialFieldsFragment } from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { exactTime, wholeNumber } from '../../../lib/format';
import { useFocusReturn } from '../../../lib/browser/focus';
import { isAhead, noteMaxLength, type EffectiveFrom } from './rules';

interface PublishDialogProps {
  revision: string;
  /** The latest version that was not withdrawn. */
  expectedVersion: number;
  newVersion: number;
  scope: EffectiveFrom;
  /** Preview of exactly these rules; undefined without one. */
  trial: ScoringTrialFieldsFragment | undefined;
  onClose: () => void;
  onPublished: () => Promise<void>;
}

/** Publishes the draft in two steps: note to students, then confirmation. */
export function PublishDialog({
  revision,
  expectedVersion,
  newVersion,
  scope,
  trial,
  onClose,
  onPublished,
}: PublishDialogProps) {
  const { t } = useTranslation('scoringRules');
  const [note, setNote] = useState('');
  const [isSure, setSure] = useState(false);
  useFocusReturn();
  const [publish, { loading, error }] = useMutation(PublishScoringDraftDocument);
  const isNoteValid = note.trim() !== '' && note.length <= noteMaxLength;
  const confirm = async () => {
    try {
      await publish({ variables: { revision, expectedVersion, note: note.trim() } });
    } catch {
      // Shown in the dialog.
      return;
    }
    toast.success(t(isAhead(scope) ? 'scheduledNow' : 'published', { version: newVersion }));
    onClose();
    await onPublished();
  };
  return (
    <Modal opened onClose={onClose} title={t('publishTitle', { version: newVersion })}>
      {isSure ? (
        <Summary scope={scope} trial={trial} note={note.trim()} />
      ) : (
        <Textarea
          label={t('noteLabel')}
          description={t('noteHelp', { most: noteMaxLength })}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
          maxLength={noteMaxLength}
          autosize
          minRows={3}
          data-autofocus
        />
      )}
      {error && <FormAlert kind="error">{errorText(error)}</FormAlert>}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" disabled={loading} onClick={isSure ? () => setSure(false) : onClose}>
          {t(isSure ? 'back' : 'cancel')}
        </Button>
        {isSure ? (
          <Button color="red.8" loading={loading} onClick={() => void confirm()}>
            {t('publishNow')}
          </Button>
        ) : (
          <Button disabled={!isNoteValid} onClick={() => setSure(true)}>
            {t('continue')}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function Summary({ scope, trial, note }: Pick<PublishDialogProps, 'scope' | 'trial'> & { note: string }) {
  const { t, i18n } = useTranslation('scoringRules');
  const number = (value: number) => wholeNumber(value, i18n.language);
  return (
    <>
      <Text>
        {scope === null
          ? t('entireHistoryHint')
          : t('fromDateHint', { moment: exactTime(new Date(scope), i18n.language) })}
      </Text>
      <Text mt="sm" fw={600}>
        {trial
          ? t('scoresChanging', { part: number(trial.movers), all: number(trial.students) })
          : t('notPreviewed')}
      </Text>
      <Text mt="sm">{t('studentsWillSee')}</Text>
      <Text component="blockquote" m={0} mt={4} fs="italic">
        {note}
      </Text>
      <Text mt="sm" c="dimmed" size="sm">
        {t(isAhead(scope) ? 'scheduleNote' : 'publishNote')}
      </Text>
    </>
  );
}
