import { Anchor, Badge, Button, Card, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@apollo/client/react';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SpaceChoice, useChosenSpace } from '../../../features/areas/space-choice';
import { usePatternCounts, patternsToTriage } from '../../../features/areas/use-pattern-counts';
import { useAddressParams } from '../../../features/filters/address-params';
import {
  VotePatternsDocument,
  type VotePatternRowFragment,
  type VotePatternState,
} from '../../../generated/graphql';
import { decimal, oneIn, PatternBadges } from './pattern-badges';
import { shownName } from '../../../lib/api/erased';

/** Unusual voting in a space the caller moderates. */
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
            <Button component={Link} variant="default" to={paths.votesToReview({ space: chosen })}>
              {t('selectManually')}
            </Button>
          )}
        </Group>
      )}
      <OtherSpaces chosen={chosen} />
      {chosen !== undefined && <Findings key={chosen} spaceId={chosen} />}
    </Stack>
  );
}

type Filter = 'OPEN' | VotePatternState;
const filters = ['OPEN', 'NEW', 'SEEN', 'WATCHED', 'HARMLESS'] as const satisfies readonly Filter[];
const matches: Readonly<Record<Filter, (finding: VotePatternRowFragment) => boolean>> = {
  OPEN: ({ state }) => state !== 'HARMLESS',
  NEW: ({ state }) => state === 'NEW',
  SEEN: ({ state }) => state === 'SEEN',
  WATCHED: ({ state }) => state === 'WATCHED',
  HARMLESS: ({ state }) => state === 'HARMLESS',
};

/** Defaults to everything but harmless patterns. */
const filterIn = (text: string | null): Filter => filters.find((filter) => filter === text) ?? 'OPEN';

function Findings({ spaceId }: { spaceId: string }) {
  const { t } = useTranslation('patterns');
  const [params, change] = useAddressParams();
  const shown = filterIn(params.get('state'));
  const show = (filter: Filter) =>
    change(() => new URLSearchParams({ space: spaceId, ...(filter !== 'OPEN' && { state: filter }) }));
  const { data, error, refetch } = useQuery(VotePatternsDocument, {
    variables: { space: spaceId },
    // Two spaces can have patterns with the same ID, which the cache would merge.
    fetchPolicy: 'no-cache',
  });
  if (!data) {
    return error ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows count={4} height={96} />
    );
  }
  const all = data.getVotePatterns;
  if (all.length === 0) {
    return <EmptyState icon={IconSearch} title={t('emptyTitle')} text={t('emptyText')} />;
  }
  const findings = all.filter(matches[shown]);
  return (
    <>
      <SegmentedControl
        aria-label={t('triage.filter')}
        value={shown}
        onChange={(value) => show(filterIn(value))}
        data={filters.map((filter) => ({
          value: filter,
          label: t('triage.counted', {
            state: t(`triage.filters.${filter}`),
            count: all.filter(matches[filter]).length,
          }),
        }))}
      />
      {findings.length === 0 && <Text c="dimmed">{t('triage.none')}</Text>}
      <Stack component="ul" gap="sm" p={0} m={0}>
        {findings.map((finding) => (
          <Finding key={finding._id} finding={finding} spaceId={spaceId} />
        ))}
      </Stack>
    </>
  );
}

/** The moderator's other spaces with patterns to triage. */
function OtherSpaces({ chosen }: { chosen: string | undefined }) {
  const { t } = useTranslation('patterns');
  const waiting = usePatternCounts().filter(
    (count) => count.space._id !== chosen && patternsToTriage(count) > 0,
  );
  if (waiting.length === 0) return null;
  return (
    <Group component="section" aria-label={t('triage.otherSpaces')} gap="md">
      <Text>{t('triage.otherSpaces')}</Text>
      {waiting.map((count) => (
        <Anchor key={count.space._id} component={Link} to={paths.votePatternsOf(count.space._id)}>
          {t('triage.counted', { state: count.space.name, count: patternsToTriage(count) })}
        </Anchor>
      ))}
    </Group>
  );
}

function Finding({ finding, spaceId }: { finding: VotePatternRowFragment; spaceId: string }) {
  const { t, i18n } = useTranslation('patterns');
  const { _id, kind, students, votes, expected, chanceLog10 } = finding;
  const names = students.map(shownName).join(', ');
  return (
    <Card withBorder component="li">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} flex="1 1 16rem">
          <Group gap="sm">
            <Badge variant="light">{t(`kind.${kind}`)}</Badge>
            <PatternBadges pattern={finding} />
            <Title order={2} size="h4">
              <Anchor component={Link} to={paths.votePattern(spaceId, _id)} inherit>
                {names}
              </Anchor>
            </Title>
          </Group>
          <Text>{t('sum', { count: votes, expected: decimal(expected, i18n.language) })}</Text>
        </Stack>
        <Text className="nimo-tabular" c="dimmed">
          {t('chance', { number: oneIn(chanceLog10, i18n.language) })}
        </Text>
      </Group>
    </Card>
  );
}
