import { Alert, Button, Card, Group, Radio, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useApolloClient, useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { ErrorNotice } from '../../components/notices';
import { toast } from '../../components/toast';
import {
  InvalidateVotesDocument,
  PreviewInvalidationDocument,
  type InvalidationCategory,
  type PreviewInvalidationQuery,
} from '../../generated/graphql';
import { EffectTables } from './effect-tables';

/** Maximum number of votes in one event. */
const MAX_VOTES = 1_000;
const categories = ['ARRANGED', 'SERIAL', 'VOTING_ONLY', 'OTHER'] as const;

interface CaseFormProps {
  /** Keys of the selected votes: post and voter. */
  chosen: ReadonlySet<string>;
  suggested: InvalidationCategory;
}

/** Invalidates the selected votes, after a category, a reason and a preview of the effect. */
export function CaseForm({ chosen, suggested }: CaseFormProps) {
  const { t } = useTranslation('patterns');
  const [category, setCategory] = useState<InvalidationCategory>(suggested);
  const [reason, setReason] = useState('');
  const count = chosen.size;
  return (
    <Card withBorder component="section" aria-label={t('form.title')}>
      <Stack gap="md">
        <Title order={2}>{t('form.title')}</Title>
        <Text>{t('form.selected', { count })}</Text>
        {count > MAX_VOTES && <Alert color="red">{t('form.tooMany', { max: MAX_VOTES })}</Alert>}
        <Radio.Group
          label={t('form.category')}
          description={t('form.categoryHint')}
          value={category}
          onChange={(value) => setCategory(value as InvalidationCategory)}
        >
          <Stack gap="xs" mt="xs">
            {categories.map((each) => (
              <Radio key={each} value={each} label={t(`category.${each}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('form.reason')}
          description={t('form.reasonHint')}
          required
          autosize
          minRows={2}
          maxLength={1_000}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Confirmation
          key={[...chosen].sort().join()}
          chosen={chosen}
          category={category}
          reason={reason}
          isReady={count > 0 && count <= MAX_VOTES && reason.trim() !== ''}
        />
      </Stack>
    </Card>
  );
}

interface ConfirmationProps {
  chosen: ReadonlySet<string>;
  category: InvalidationCategory;
  reason: string;
  isReady: boolean;
}

/** Keyed by the selection, so that a changed selection needs a new preview. */
function Confirmation({ chosen, category, reason, isReady }: ConfirmationProps) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const navigate = useNavigate();
  const [preview, setPreview] = useState<PreviewInvalidationQuery['previewInvalidation']>();
  const [isLoadingPreview, setLoadingPreview] = useState(false);
  const [error, setError] = useState<unknown>();
  const [invalidate, { loading }] = useMutation(InvalidateVotesDocument);
  const votes = [...chosen].map((key) => {
    const [postId = '', voterId = ''] = key.split(' ');
    return { postId, voterId };
  });
  const loadPreview = async () => {
    setLoadingPreview(true);
    setError(undefined);
    setPreview(undefined);
    try {
      const { data } = await client.query({
        query: PreviewInvalidationDocument,
        variables: { votes },
        fetchPolicy: 'network-only',
      });
      setPreview(data?.previewInvalidation);
    } catch (failure) {
      setError(failure);
    }
    setLoadingPreview(false);
  };
  const confirm = async () => {
    if (!preview) return;
    const { fingerprint } = preview;
    try {
      const { data } = await invalidate({ variables: { votes, category, reason, fingerprint } });
      if (!data) return;
      toast.success(t(data.invalidateVotes.state === 'PROPOSED' ? 'form.proposed' : 'form.done'));
      // Navigate before refetching: without its votes the pattern, and this form, would disappear.
      void navigate(paths.voteCase(data.invalidateVotes._id));
      void client.refetchQueries({ include: 'active' });
    } catch (failure) {
      // The preview is outdated, or the request failed: require a new one.
      setPreview(undefined);
      setError(failure);
    }
  };
  return (
    <Stack gap="md" aria-live="polite">
      {error !== undefined && <ErrorNotice error={error} onRetry={() => void loadPreview()} />}
      {isLoadingPreview && <Skeleton height={160} radius="md" />}
      {preview && <EffectTables effect={preview.effect} />}
      {preview?.needsConfirmation && <Alert>{t('form.needsConfirmation')}</Alert>}
      <Group justify="flex-end">
        <Button
          variant={preview ? 'default' : 'filled'}
          disabled={!isReady}
          onClick={() => void loadPreview()}
        >
          {t(preview ? 'form.previewAgain' : 'form.preview')}
        </Button>
        {preview && (
          <Button color="red.8" loading={loading} disabled={!isReady} onClick={() => void confirm()}>
            {t(preview.needsConfirmation ? 'form.propose' : 'form.confirm', { count: votes.length })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
