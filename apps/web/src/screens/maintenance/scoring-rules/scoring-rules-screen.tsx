import { useMutation, useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ErrorNotice } from '../../../components/notices';
import { ReasonDialog } from '../../../components/dialogs';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import {
  SaveScoringDraftDocument,
  ScoringDraftDocument,
  ScoringVersionsDocument,
  WithdrawScoringVersionDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { DraftWorkspace } from './draft-workspace';
import { latestVersion, noteMaxLength, safeguardsOf, type Version } from './rules';
import { RulesTable } from './rules-table';
import classes from './scoring-rules.module.css';
import { VersionOrigin, VersionState } from './version-origin';

/** The rules in force, the draft and all versions. */
export default function ScoringRulesScreen() {
  const { t } = useTranslation('scoringRules');
  const versions = useQuery(ScoringVersionsDocument, { fetchPolicy: 'cache-and-network' });
  const draft = useQuery(ScoringDraftDocument, { fetchPolicy: 'cache-and-network' });
  const [save, saving] = useMutation(SaveScoringDraftDocument);
  const reload = async () => {
    await Promise.all([versions.refetch(), draft.refetch()]);
  };
  const begin = async ({ version, effectiveFrom, reportThreshold, weights, safeguards }: Version) => {
    const rules = {
      basedOn: version,
      effectiveFrom,
      reportThreshold,
      weights: weights.map(inputOf),
      safeguards: safeguardsOf(safeguards),
    };
    try {
      await save({ variables: { draft: rules } });
    } catch (error) {
      toast.error(errorText(error));
    }
    await draft.refetch();
  };
  const error = versions.error ?? draft.error;
  const list = versions.data?.getScoringVersions;
  const isLoaded = list !== undefined && draft.data !== undefined;
  return (
    <div className={classes.screen}>
      <PageHeading>{t('title')}</PageHeading>
      <Text c="dimmed">{t('intro')}</Text>
      {error && !isLoaded && <ErrorNotice error={error} onRetry={() => void reload()} />}
      {!error && !isLoaded && <SkeletonRows count={12} height={36} />}
      {isLoaded && (
        <Loaded
          versions={list}
          draft={draft.data.getScoringDraft ?? null}
          isSaving={saving.loading}
          onBegin={(from) => void begin(from)}
          onChanged={reload}
        />
      )}
    </div>
  );
}

const inputOf = ({ kind, merit, impact }: Version['weights'][number]) => ({ kind, merit, impact });

interface LoadedProps {
  versions: readonly Version[];
  draft: React.ComponentProps<typeof DraftWorkspace>['draft'] | null;
  isSaving: boolean;
  onBegin: (from: Version) => void;
  onChanged: () => Promise<void>;
}

function Loaded({ versions, draft, isSaving, onBegin, onChanged }: LoadedProps) {
  const { t } = useTranslation('scoringRules');
  const current = versions.find(({ state }) => state === 'IN_FORCE');
  return (
    <>
      {draft && (
        <DraftWorkspace key={draft.basedOn} draft={draft} versions={versions} onChanged={onChanged} />
      )}
      {current && (
        <Paper component="section" withBorder radius="lg" p="lg" aria-labelledby="rules-in-force">
          <div className={classes.head}>
            <Title order={2} size="h3" id="rules-in-force">
              {t('inForce', { version: current.version })}
            </Title>
            {!draft && (
              <Button loading={isSaving} onClick={() => onBegin(latestVersion(versions) ?? current)}>
                {t('makeDraft')}
              </Button>
            )}
          </div>
          <RulesTable rules={current} label={t('inForce', { version: current.version })} />
        </Paper>
      )}
      <VersionList versions={versions} onChanged={onChanged} {...(!draft && { onDraft: onBegin })} />
    </>
  );
}

interface VersionListProps {
  versions: readonly Version[];
  /** Undefined while there is a draft. */
  onDraft?: (from: Version) => void;
  onChanged: () => Promise<void>;
}

/** All versions with publisher and note to students. */
function VersionList({ versions, onDraft, onChanged }: VersionListProps) {
  const { t } = useTranslation('scoringRules');
  const [withdrawn, setWithdrawn] = useState<number>();
  return (
    <Paper component="section" withBorder radius="lg" p="lg" aria-labelledby="versions">
      <Title order={2} size="h3" id="versions" mb="sm">
        {t('versions')}
      </Title>
      <ol className={classes.versions} reversed>
        {versions.map((version) => (
          <li key={version.version} className={classes.version}>
            <div>
              <Group gap="xs">
                <Text fw={600}>{t('version', { version: version.version })}</Text>
                <VersionState version={version} />
              </Group>
              <VersionOrigin version={version} />
              <p className={classes.note}>{version.publishedAt === null ? t('firstRules') : version.note}</p>
            </div>
            <Group gap="xs">
              {version.state === 'SCHEDULED' && (
                <Button
                  variant="default"
                  size="xs"
                  c="var(--nimo-danger)"
                  onClick={() => setWithdrawn(version.version)}
                >
                  {t('withdraw', { version: version.version })}
                </Button>
              )}
              {onDraft && (
                <Button variant="default" size="xs" onClick={() => onDraft(version)}>
                  {t('draftFrom', { version: version.version })}
                </Button>
              )}
              {version.state !== 'WITHDRAWN' && (
                <Anchor component={Link} to={paths.scoringVersion(version.version)} size="sm">
                  {t('leaderboardUnder', { version: version.version })}
                </Anchor>
              )}
            </Group>
          </li>
        ))}
      </ol>
      {withdrawn !== undefined && (
        <WithdrawDialog version={withdrawn} onClose={() => setWithdrawn(undefined)} onWithdrawn={onChanged} />
      )}
    </Paper>
  );
}

interface WithdrawDialogProps {
  version: number;
  onClose: () => void;
  onWithdrawn: () => Promise<void>;
}

/** Withdraws a scheduled version, with a reason. */
function WithdrawDialog({ version, onClose, onWithdrawn }: WithdrawDialogProps) {
  const { t } = useTranslation('scoringRules');
  const [withdraw] = useMutation(WithdrawScoringVersionDocument);
  const submit = async (reason: string) => {
    await withdraw({ variables: { version, reason } });
    toast.success(t('withdrawn', { version }));
    onClose();
    await onWithdrawn();
  };
  return (
    <ReasonDialog
      title={t('withdrawTitle', { version })}
      text={t('withdrawText')}
      label={t('withdrawReason')}
      hint={t('withdrawReasonHelp')}
      maxLength={noteMaxLength}
      submitLabel={t('withdrawNow')}
      danger
      closeOnClickOutside
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
