import { Alert, Anchor, Button, Card, Group, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useApolloClient, useLazyQuery, useMutation, useQuery } from '@apollo/client/react';
import IconMoodEmpty from '@tabler/icons-react/dist/esm/icons/IconMoodEmpty.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { ReachableDecision } from '../../../features/vote-cases/reachable-decision';
import { EffectTables } from '../../../features/vote-cases/effect-tables';
import { Proposal } from '../../../features/vote-cases/proposal';
import { PersonName } from '../../../features/vote-cases/person-name';
import { VotesTable } from '../../../features/vote-cases/votes-table';
import {
  InvalidationCaseDocument,
  PreviewReversalDocument,
  ReverseInvalidationDocument,
  type InvalidationCasePartsFragment,
} from '../../../generated/graphql';
import { errorCode } from '../../../lib/api/errors';

const notFoundCodes: ReadonlySet<string | undefined> = new Set(['NOT_FOUND', 'VALIDATION_FAILED']);

/** One vote invalidation: decision, effect and reversal. */
export default function CaseScreen() {
  const { t } = useTranslation('patterns');
  const { t: moderation } = useTranslation('moderation');
  const { caseId = '' } = useParams();
  const { data, error, refetch } = useQuery(InvalidationCaseDocument, {
    variables: { caseId },
    fetchPolicy: 'cache-and-network',
  });
  const found = data?.getInvalidationCase;
  const isNotFound = error !== undefined && notFoundCodes.has(errorCode(error));
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={paths.voteCases}>
        {t('cases.back')}
      </Anchor>
      <PageHeading>{t('cases.caseTitle')}</PageHeading>
      {isNotFound && (
        <EmptyState icon={IconMoodEmpty} title={moderation('unknown')} text={moderation('unknownText')} />
      )}
      {error && !isNotFound && !found && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !found && <SkeletonRows count={6} height={48} />}
      {found && <CaseDetails case_={found} />}
    </Stack>
  );
}

function CaseDetails({ case_ }: { case_: InvalidationCasePartsFragment }) {
  const { t } = useTranslation('patterns');
  const { state, invalidatedAt, effect, reviewedVotes } = case_;
  const list = (
    <Stack gap="md">
      <Title order={2}>{t('votesHeading', { count: reviewedVotes.length })}</Title>
      <VotesTable label={t('votes')} votes={reviewedVotes} />
    </Stack>
  );
  return (
    <>
      <Decisions case_={case_} />
      {invalidatedAt && (
        <>
          <Title order={2}>{t('cases.effect')}</Title>
          {effect ? <EffectTables effect={effect} /> : <Text c="dimmed">{t('cases.noEffect')}</Text>}
        </>
      )}
      {state === 'REVERSED' || state === 'DECLINED' ? (
        list
      ) : (
        <ReachableDecision
          decision={state === 'PROPOSED' ? <Proposal proposed={case_} /> : <Reversal caseId={case_._id} />}
          summary={t('votesHeading', { count: reviewedVotes.length })}
        >
          {list}
        </ReachableDecision>
      )}
    </>
  );
}

/** The proposal, confirmation, declination and reversal, with their reasons. */
function Decisions({ case_ }: { case_: InvalidationCasePartsFragment }) {
  const { t } = useTranslation('patterns');
  const { moderator, reason, category, openedAt, proposedBy, invalidatedAt } = case_;
  const { declinedAt, declinedBy, declineReason, reversedAt, reversedBy, reversalReason } = case_;
  return (
    <>
      <Card withBorder component="section" aria-label={t('cases.decision')}>
        <Stack gap="xs">
          <Group>
            {proposedBy && <Text c="dimmed">{t('cases.proposedBy')}</Text>}
            <PersonName person={proposedBy ?? moderator} />
            <ExactTime at={openedAt} />
          </Group>
          {proposedBy && invalidatedAt && (
            <Group>
              <Text c="dimmed">{t('cases.confirmedBy')}</Text>
              <PersonName person={moderator} />
              <ExactTime at={invalidatedAt} />
            </Group>
          )}
          <Text dir="auto">{reason}</Text>
          <Text c="dimmed">{t('cases.shownToUsers', { category: t(`category.${category}`) })}</Text>
        </Stack>
      </Card>
      {declinedAt && declinedBy && (
        <Alert
          color="gray"
          title={t(declinedBy._id === proposedBy?._id ? 'cases.withdrawnTitle' : 'cases.declinedTitle')}
        >
          <Group>
            <PersonName person={declinedBy} />
            <ExactTime at={declinedAt} />
          </Group>
          <Text dir="auto">{declineReason}</Text>
        </Alert>
      )}
      {reversedAt && reversedBy && (
        <Alert color="gray" title={t('cases.reversedTitle')}>
          <Group>
            <PersonName person={reversedBy} />
            <ExactTime at={reversedAt} />
          </Group>
          <Text>{reversalReason}</Text>
        </Alert>
      )}
    </>
  );
}

/** Reverses an invalidation, after a reason and a preview of the effect. */
function Reversal({ caseId }: { caseId: string }) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const [reason, setReason] = useState('');
  const [look, preview] = useLazyQuery(PreviewReversalDocument, { fetchPolicy: 'network-only' });
  const [reverse, { loading, error }] = useMutation(ReverseInvalidationDocument);
  const isReady = reason.trim() !== '';
  const effect = preview.data?.previewReversal;
  const confirm = async () => {
    const { data } = await reverse({ variables: { caseId, reason } }).catch(() => ({ data: undefined }));
    if (!data) return;
    toast.success(t('reversal.done'));
    await client.refetchQueries({ include: [InvalidationCaseDocument] });
  };
  return (
    <Card withBorder component="section" aria-label={t('reversal.title')}>
      <Stack gap="md">
        <Title order={2}>{t('reversal.title')}</Title>
        <Textarea
          label={t('reversal.reason')}
          required
          autosize
          minRows={2}
          maxLength={1_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        {(preview.error ?? error) !== undefined && <ErrorNotice error={preview.error ?? error} />}
        {preview.loading && <Skeleton height={160} radius="md" />}
        {effect && <EffectTables effect={effect} />}
        <Group justify="flex-end">
          <Button
            variant={effect ? 'default' : 'filled'}
            disabled={!isReady}
            onClick={() => void look({ variables: { caseId } })}
          >
            {t(effect ? 'form.previewAgain' : 'form.preview')}
          </Button>
          {effect && (
            <Button loading={loading} disabled={!isReady} onClick={() => void confirm()}>
              {t('reversal.confirm')}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}
