import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import {
  SaveScoringDraftDocument,
  ScoringDraftDocument,
  ScoringVersionsDocument,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { DraftWorkspace } from './draft-workspace';
import { latestStanding, type Version } from './rules';
import { RulesTable } from './rules-table';
import classes from './scoring-rules.module.css';
import { VersionList } from './version-list';

/** What is scored: the rules in force, the draft of the next ones, and every version there was. */
export default function ScoringRulesScreen() {
  const { t } = useTranslation('scoringRules');
  const versions = useQuery(ScoringVersionsDocument, { fetchPolicy: 'cache-and-network' });
  const draft = useQuery(ScoringDraftDocument, { fetchPolicy: 'cache-and-network' });
  const [save, saving] = useMutation(SaveScoringDraftDocument);
  const reload = async () => {
    await Promise.all([versions.refetch(), draft.refetch()]);
  };
  const begin = async ({ version, effectiveFrom, reportThreshold, weights }: Version) => {
    const rules = { basedOn: version, effectiveFrom, reportThreshold, weights: weights.map(inputOf) };
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
              <Button loading={isSaving} onClick={() => onBegin(latestStanding(versions) ?? current)}>
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
