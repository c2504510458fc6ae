import { useApolloClient, useMutation } from '@apollo/client/react';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import {
  PatternCountsDocument,
  TriageVotePatternDocument,
  VotePatternDocument,
  type VotePatternRowFragment,
  type VotePatternVerdict,
} from '../../generated/graphql';
import { PatternBadges } from './pattern-badges';

const verdicts = ['SEEN', 'HARMLESS', 'WATCHED'] as const;

/** What moderators made of a pattern, and what to make of it now. */
export function TriageCard({ pattern, spaceId }: { pattern: VotePatternRowFragment; spaceId: string }) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const [triage, { loading, error }] = useMutation(TriageVotePatternDocument);
  const { _id, votes, revision, triage: last, state, hasGrown } = pattern;
  const decide = async (verdict: VotePatternVerdict) => {
    try {
      await triage({ variables: { space: spaceId, pattern: _id, verdict, votes, revision } });
      toast.success(t('triage.done'));
    } catch {
      // The error is shown; what it is about is read anew below.
    }
    await client.refetchQueries({ include: [VotePatternDocument, PatternCountsDocument] });
  };
  return (
    <Card withBorder component="section" aria-label={t('triage.title')}>
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2}>{t('triage.title')}</Title>
          <PatternBadges pattern={pattern} />
        </Group>
        {last ? (
          <Text>
            {t('triage.by', {
              verdict: t(`triage.state.${last.verdict}`),
              name: last.moderator.userName || t('erased'),
            })}{' '}
            <RelativeTime at={last.at} />
            {hasGrown && <> · {t('triage.grownFrom', { before: last.votes, now: votes })}</>}
          </Text>
        ) : (
          <Text c="dimmed">{t('triage.nobody')}</Text>
        )}
        {error && <ErrorNotice error={error} />}
        <Group gap="sm">
          {verdicts.map((verdict) => (
            <Button
              key={verdict}
              variant={state === verdict ? 'light' : 'default'}
              aria-pressed={state === verdict}
              loading={loading}
              onClick={() => void decide(verdict)}
            >
              {t(`triage.mark.${verdict}`)}
            </Button>
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          {t('triage.meaning')}
        </Text>
      </Stack>
    </Card>
  );
}
