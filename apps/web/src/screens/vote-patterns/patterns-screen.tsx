import { Anchor, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { SpaceChoice } from '../../features/areas/space-choice';
import { useChosenSpace } from '../../features/areas/use-chosen-space';
import { VotePatternsDocument, type VotePatternRowFragment } from '../../generated/graphql';
import { oneIn } from './chance';
import { decimal } from './decimal';

/** What stands out among the votes of a space that the caller moderates. */
export default function PatternsScreen() {
  const { t } = useTranslation('patterns');
  const { spaces, chosen, choose, error, refetch } = useChosenSpace();
  return (
    <Stack gap="lg">
      <PageHeading>{t('title')}</PageHeading>
      <Text>{t('intro')}</Text>
      {error && !spaces && <ErrorNotice error={error} onRetry={refetch} />}
      {!spaces && !error && <SkeletonRows count={4} height={96} />}
      {spaces && (
        <Group align="flex-end">
          <SpaceChoice {...{ spaces, chosen, choose }} />
          {chosen !== undefined && (
            <Button component={Link} variant="default" to={paths.votesToJudge({ space: chosen })}>
              {t('chooseByHand')}
            </Button>
          )}
        </Group>
      )}
      {chosen !== undefined && <Findings key={chosen} spaceId={chosen} />}
    </Stack>
  );
}

function Findings({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('patterns');
  const { data, error, refetch } = useQuery(VotePatternsDocument, {
    variables: { space: spaceId },
    fetchPolicy: 'cache-and-network',
  });
  if (!data) {
    return error ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows count={4} height={96} />
    );
  }
  const findings = data.getVotePatterns;
  if (findings.length === 0) {
    return <EmptyState icon={IconSearch} title={t('emptyTitle')} text={t('emptyText')} />;
  }
  return (
    <Stack component="ul" gap="sm" p={0} m={0}>
      {findings.map((finding) => (
        <Finding key={finding._id} finding={finding} spaceId={spaceId} />
      ))}
    </Stack>
  );
}

function Finding({ finding, spaceId }: { finding: VotePatternRowFragment; spaceId: string }) {
  const { t, i18n } = useTranslation('patterns');
  const { _id, kind, students, votes, expected, chanceLog10 } = finding;
  const names = students.map(({ userName }) => userName || t('erased')).join(', ');
  return (
    <Card withBorder component="li">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Stack gap={4}>
          <Group gap="sm">
            <Badge variant="light">{t(`kind.${kind}`)}</Badge>
            <Title order={2} size="h4">
              <Anchor component={Link} to={paths.votePattern(spaceId, _id)} inherit>
                {names}
              </Anchor>
            </Title>
          </Group>
          <Text>{t('sum', { count: votes, expected: decimal(expected, i18n.language) })}</Text>
        </Stack>
        <Text className="nimo-tabular" c="dimmed">
          {t('oneIn', { number: oneIn(chanceLog10, i18n.language) })}
        </Text>
      </Group>
    </Card>
  );
}
