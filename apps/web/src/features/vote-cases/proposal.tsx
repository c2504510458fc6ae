import { Alert, Button, Card, Group, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useApolloClient, useLazyQuery, useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/notices';
import { toast } from '../../components/toast';
import {
  ConfirmInvalidationDocument,
  DeclineInvalidationDocument,
  InvalidationCaseDocument,
  PreviewInvalidationDocument,
  type InvalidationCasePartsFragment,
} from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { EffectTables } from './effect-tables';

interface ProposalProps {
  proposed: InvalidationCasePartsFragment;
}

/** A proposed invalidation: other moderators confirm or decline it, its proposer may withdraw it. */
export function Proposal({ proposed }: ProposalProps) {
  const { t } = useTranslation('patterns');
  const isOwn = proposed.proposedBy?._id === useAuthUser()?._id;
  const allVotesStand = proposed.reviewedVotes.every(({ isHeld, caseIds }) => isHeld && caseIds.length === 0);
  const title = t(isOwn ? 'proposal.ownTitle' : 'proposal.title');
  return (
    <Card withBorder component="section" aria-label={title}>
      <Stack gap="md">
        <Title order={2}>{title}</Title>
        <Text>{t(isOwn ? 'proposal.ownText' : 'proposal.text')}</Text>
        {!allVotesStand && (
          <Alert color="orange">{t(isOwn ? 'proposal.ownNotStanding' : 'proposal.notStanding')}</Alert>
        )}
        {allVotesStand && isOwn && !proposed.canBeConfirmed && (
          <Alert color="orange">{t('proposal.nobody')}</Alert>
        )}
        {allVotesStand && !isOwn && <Confirm proposed={proposed} />}
        <Decline caseId={proposed._id} isOwn={isOwn} />
      </Stack>
    </Card>
  );
}

/** Confirms the proposal, after a preview of its effect now. */
function Confirm({ proposed: { _id: caseId, reviewedVotes } }: ProposalProps) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const [look, preview] = useLazyQuery(PreviewInvalidationDocument, { fetchPolicy: 'network-only' });
  const [confirm, { loading, error }] = useMutation(ConfirmInvalidationDocument);
  const shown = preview.data?.previewInvalidation;
  const votes = reviewedVotes.map(({ postId, voter }) => ({ postId, voterId: voter._id }));
  const submit = async (fingerprint: string) => {
    const { data } = await confirm({ variables: { caseId, fingerprint } }).catch(() => ({ data: undefined }));
    if (!data) return;
    toast.success(t('proposal.confirmed'));
    await client.refetchQueries({ include: [InvalidationCaseDocument] });
  };
  const failure = preview.error ?? error;
  return (
    <Stack gap="md" aria-live="polite">
      {failure !== undefined && <ErrorNotice error={failure} />}
      {preview.loading && <Skeleton height={160} radius="md" />}
      {shown && <EffectTables effect={shown.effect} />}
      <Group justify="flex-end">
        <Button variant={shown ? 'default' : 'filled'} onClick={() => void look({ variables: { votes } })}>
          {t(shown ? 'form.previewAgain' : 'form.preview')}
        </Button>
        {shown && (
          <Button color="red.8" loading={loading} onClick={() => void submit(shown.fingerprint)}>
            {t('proposal.confirm', { count: votes.length })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Declines the proposal with a reason, or withdraws the user's own. */
function Decline({ caseId, isOwn }: { caseId: string; isOwn: boolean }) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const [reason, setReason] = useState('');
  const [decline, { loading, error }] = useMutation(DeclineInvalidationDocument);
  const submit = async () => {
    const { data } = await decline({ variables: { caseId, reason } }).catch(() => ({ data: undefined }));
    if (!data) return;
    toast.success(t(isOwn ? 'proposal.withdrawn' : 'proposal.declined'));
    await client.refetchQueries({ include: [InvalidationCaseDocument] });
  };
  return (
    <Stack gap="md">
      <Textarea
        label={t(isOwn ? 'proposal.withdrawReason' : 'proposal.reason')}
        description={t('proposal.reasonHint')}
        autosize
        minRows={2}
        maxLength={1_000}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      {error !== undefined && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={loading}
          disabled={reason.trim() === ''}
          onClick={() => void submit()}
        >
          {t(isOwn ? 'proposal.withdraw' : 'proposal.decline')}
        </Button>
      </Group>
    </Stack>
  );
}
