import { useMutation } from '@apollo/client/react';
import { Button, Group, Paper, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialogs';
import { FormAlert } from '../../../components/notices';
import { ExactTime } from '../../../components/exact-time';
import { toast } from '../../../components/toast';
import { localMinuteValue } from '../../../features/filters/address-params';
import {
  DiscardScoringDraftDocument,
  type ScoringTrialFieldsFragment,
  StopScoringTrialDocument,
  TryScoringDraftDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { exactTime } from '../../../lib/format';
import { DraftTable } from './draft-table';
import { PublishDialog } from './publish-dialog';
import { type Draft, type EffectiveFrom, latestVersion, type Version } from './rules';
import { SafeguardFields } from './safeguards';
import classes from './scoring-rules.module.css';
import { TrialResult } from './trial-result';
import { type DraftEditor, useDraft } from './use-draft';
import { shownName } from '../../../lib/api/erased';

interface DraftWorkspaceProps {
  draft: Draft;
  /** Newest first. */
  versions: readonly Version[];
  onChanged: () => Promise<void>;
}

/** Editor of the draft: edit, preview, publish. */
export function DraftWorkspace({ draft: savedDraft, versions, onChanged }: DraftWorkspaceProps) {
  const { t } = useTranslation('scoringRules');
  const draft = useDraft(savedDraft);
  const trial = useTrial();
  const [isPublishing, publishing] = useDisclosure();
  const [isDiscarding, discarding] = useDisclosure();
  const base = versions.find(({ version }) => version === savedDraft.basedOn);
  const latest = latestVersion(versions);
  const isReady = draft.isValid && draft.isSaved && draft.error === undefined;
  const tried = trial.resultOf(draft.stored.revision);
  return (
    <Paper component="section" withBorder radius="lg" p="lg" aria-labelledby="draft">
      <div className={classes.head}>
        <Title order={2} size="h3" id="draft">
          {t('draftOf', { version: savedDraft.basedOn })}
        </Title>
        <SavedNote draft={draft} />
      </div>
      {draft.error !== undefined && (
        <Group mb="md">
          <FormAlert kind="error">{draft.error}</FormAlert>
          <Button variant="default" onClick={() => void onChanged()}>
            {t('reload')}
          </Button>
        </Group>
      )}
      <OlderBase base={savedDraft.basedOn} latest={latest} />
      <DraftTable draft={draft} base={base} />
      <SafeguardFields draft={draft} />
      <ScopeChoice scope={draft.scope} onChange={draft.changeScope} />
      <Group mt="lg" gap="sm">
        <Button
          disabled={!isReady}
          loading={trial.isRunning}
          onClick={() => void trial.run(draft.stored.revision)}
        >
          {t('preview')}
        </Button>
        {trial.isRunning && (
          <Button variant="default" onClick={() => void trial.stop()}>
            {t('stop')}
          </Button>
        )}
        <Button variant="default" disabled={!isReady} onClick={publishing.open}>
          {t('publish')}
        </Button>
        <Button variant="subtle" color="red" onClick={discarding.open} ml="auto">
          {t('discard')}
        </Button>
      </Group>
      <div aria-live="polite">
        {trial.isRunning && <Text mt="md">{t('calculating')}</Text>}
        {trial.error !== undefined && <FormAlert kind="error">{trial.error}</FormAlert>}
      </div>
      {tried && <TrialResult key={tried._id} trial={tried} />}
      {isPublishing && (
        <PublishDialog
          revision={draft.stored.revision}
          expectedVersion={latest?.version ?? savedDraft.basedOn}
          newVersion={(versions[0]?.version ?? savedDraft.basedOn) + 1}
          scope={draft.stored.effectiveFrom}
          trial={tried}
          onClose={publishing.close}
          onPublished={onChanged}
        />
      )}
      <DiscardDialog
        opened={isDiscarding}
        revision={draft.stored.revision}
        onClose={discarding.close}
        onChanged={onChanged}
      />
    </Paper>
  );
}

/** Warns if the draft is based on an older version: it still replaces the latest one. */
function OlderBase({ base, latest }: { base: number; latest: Version | undefined }) {
  const { t } = useTranslation('scoringRules');
  if (!latest || latest.version === base) return null;
  return (
    <Text c="dimmed" mb="sm">
      {t('olderBase', { version: latest.version, base })}
    </Text>
  );
}

function SavedNote({ draft: { stored, isSaved, isValid } }: { draft: DraftEditor }) {
  const { t } = useTranslation('scoringRules');
  if (!isValid) return <Text c="dimmed">{t('notSaved')}</Text>;
  if (!isSaved) return <Text c="dimmed">{t('saving')}</Text>;
  return (
    <Text c="dimmed" role="status">
      {t('savedBy', { name: shownName(stored.savedBy) })} · <ExactTime at={stored.savedAt} />
    </Text>
  );
}

interface DiscardDialogProps {
  opened: boolean;
  revision: string;
  onClose: () => void;
  onChanged: () => Promise<void>;
}

function DiscardDialog({ opened, revision, onClose, onChanged }: DiscardDialogProps) {
  const { t } = useTranslation('scoringRules');
  const [discard, { loading }] = useMutation(DiscardScoringDraftDocument);
  const confirm = async () => {
    try {
      await discard({ variables: { revision } });
      toast.success(t('discarded'));
    } catch (error) {
      toast.error(errorText(error));
    }
    onClose();
    await onChanged();
  };
  return (
    <ConfirmDialog
      opened={opened}
      title={t('discardTitle')}
      text={t('discardText')}
      confirmLabel={t('discard')}
      danger
      pending={loading}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

interface Result {
  revision: string;
  trial: ScoringTrialFieldsFragment;
}

/** Previews the draft on the entire history, and keeps the latest result. */
function useTrial() {
  const [tryDraft, { loading }] = useMutation(TryScoringDraftDocument);
  const [stopTrial] = useMutation(StopScoringTrialDocument);
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<string>();
  const run = async (revision: string) => {
    setError(undefined);
    try {
      const { data } = await tryDraft({ variables: { revision } });
      if (data) setResult({ revision, trial: data.tryScoringDraft });
    } catch (cause) {
      setError(errorText(cause));
    }
  };
  const stop = async () => {
    await stopTrial().catch((cause: unknown) => setError(errorText(cause)));
  };
  return {
    isRunning: loading,
    error,
    run,
    stop,
    /** Undefined unless exactly these rules were previewed. */
    resultOf: (revision: string) => (result?.revision === revision ? result.trial : undefined),
  };
}

interface ScopeChoiceProps {
  /** Undefined until a time is chosen. */
  scope: EffectiveFrom | undefined;
  onChange: (scope: EffectiveFrom | undefined) => void;
}

/** Period the rules apply to, with an explanation. */
function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const { t, i18n } = useTranslation('scoringRules');
  const [moment, setMoment] = useState(localMinuteValue(scope ?? null));
  const isAll = scope === null;
  const chooseMoment = (text: string) => {
    setMoment(text);
    const time = new Date(text);
    onChange(Number.isNaN(time.getTime()) ? undefined : time.toISOString());
  };
  return (
    <Stack gap="xs" mt="lg">
      <Radio.Group
        label={t('scope')}
        value={isAll ? 'all' : 'from'}
        onChange={(value) => (value === 'all' ? onChange(null) : chooseMoment(moment))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('entireHistory')} />
          <Radio value="from" label={t('fromDate')} />
        </Stack>
      </Radio.Group>
      {!isAll && (
        <TextInput
          type="datetime-local"
          maw={280}
          label={t('moment')}
          value={moment}
          onChange={({ currentTarget }) => chooseMoment(currentTarget.value)}
        />
      )}
      <Text size="sm" c="dimmed">
        {isAll
          ? t('entireHistoryHint')
          : scope === undefined
            ? t('chooseMoment')
            : t('fromDateHint', { moment: exactTime(new Date(scope), i18n.language) })}
      </Text>
    </Stack>
  );
}
