import { useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { DataTable } from '../../../components/data-table';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { ExactTime } from '../../../components/exact-time';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { CaseForm } from '../../../features/vote-cases/case-form';
import { GiversLink } from '../../../features/vote-cases/givers-link';
import { ReachableDecision } from '../../../features/vote-cases/reachable-decision';
import { PersonName } from '../../../features/vote-cases/person-name';
import { isOpen, voteKey, VotesTable } from '../../../features/vote-cases/votes-table';
import {
  type InvalidationCategory,
  ModerationCountsDocument,
  PatternCountsDocument,
  TriageVotePatternDocument,
  VotePatternDocument,
  type VotePatternNumbersFragment,
  type VotePatternQuery,
  type VotePatternRowFragment,
  type VotePatternVerdict,
} from '../../../generated/graphql';
import { lazyPart } from '../../../lib/browser/loading';
import { decimal, oneIn, PatternBadges } from './pattern-badges';
import { shownName } from '../../../lib/api/erased';

const VotesTimeline = lazyPart(() => import('./votes-timeline'));

/** log10 of the chance above which a link is not significant (1 in 100 spaces). */
const SIGNIFICANCE_LOG10 = -2;

type Pattern = NonNullable<VotePatternQuery['getVotePattern']>;

const suggested: Readonly<Record<Pattern['kind'], InvalidationCategory>> = {
  PAIR: 'ARRANGED',
  RING: 'ARRANGED',
  STAR: 'VOTING_ONLY',
  BURST: 'SERIAL',
  ONE_PERSON: 'VOTING_ONLY',
};

/** Evidence for one pattern, and the form to invalidate its votes. */
export default function PatternScreen() {
  const { t } = useTranslation('patterns');
  const { spaceId = '', patternId = '' } = useParams();
  const { data, error, refetch } = useQuery(VotePatternDocument, {
    variables: { space: spaceId, pattern: patternId },
    // Two spaces can have patterns with the same ID, which the cache would merge.
    fetchPolicy: 'no-cache',
  });
  const pattern = data?.getVotePattern;
  return (
    <Stack gap="lg">
      <Anchor component={Link} to={`${paths.votePatterns}?${new URLSearchParams({ space: spaceId })}`}>
        {t('back')}
      </Anchor>
      <PageHeading>{pattern ? t(`kind.${pattern.kind}`) : t('pattern')}</PageHeading>
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows count={6} height={48} />}
      {data && !pattern && (
        <EmptyState icon={IconSearch} title={t('notDetectedTitle')} text={t('notDetectedText')} />
      )}
      {pattern && <Evidence key={pattern._id} pattern={pattern} spaceId={spaceId} />}
    </Stack>
  );
}

function Evidence({ pattern, spaceId }: { pattern: Pattern; spaceId: string }) {
  const { t, i18n } = useTranslation('patterns');
  const votes = pattern.evidence;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(votes.filter(isOpen).map(voteKey)));
  return (
    <>
      <Text>
        {t(`meaning.${pattern.kind}`)} {t(`caveat.${pattern.kind}`)}
      </Text>
      <TriageCard pattern={pattern} spaceId={spaceId} />
      <Card withBorder component="section" aria-label={t('numbers')}>
        <Stack gap="sm">
          <Title order={2}>{t('numbers')}</Title>
          <LinksTable links={pattern.links} spaceId={spaceId} />
          <Text>
            <strong>{t('patternChance', { number: oneIn(pattern.chanceLog10, i18n.language) })}</strong>
          </Text>
          {pattern.newAccounts !== null && <Text>{t('newAccounts', { count: pattern.newAccounts })}</Text>}
          <Text c="dimmed" size="sm">
            {t(pattern.kind === 'STAR' ? 'statisticOfStar' : 'statistic')}
          </Text>
        </Stack>
      </Card>
      <Title order={2}>{t('votesHeading', { count: votes.length })}</Title>
      <Suspense fallback={<Skeleton height={160} radius="md" />}>
        <VotesTimeline votes={votes} />
      </Suspense>
      <ReachableDecision
        decision={<CaseForm chosen={chosen} suggested={suggested[pattern.kind]} />}
        summary={t('form.selected', { count: chosen.size })}
      >
        <VotesTable
          label={t('votes')}
          votes={votes}
          spaceId={spaceId}
          choice={{ chosen, onChoose: setChosen }}
        />
      </ReachableDecision>
    </>
  );
}

type LinkRow = VotePatternNumbersFragment['links'][number];

/**
 * Each link with its own figures. The first row of a voter leads to all of the voter's votes and to the audit, and the first row of an
 * author to everybody who votes for the author.
 */
function LinksTable({ links, spaceId }: { links: readonly LinkRow[]; spaceId: string }) {
  const { t, i18n } = useTranslation('patterns');
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  const voters = [...new Set(links.map(({ voter }) => voter._id))];
  const byVoter = voters.flatMap((id) => links.filter(({ voter }) => voter._id === id));
  const firsts = new Set(voters.map((id) => byVoter.find(({ voter }) => voter._id === id)));
  const firstFor = new Map(byVoter.toReversed().map((link) => [link.author._id, link]));
  return (
    <DataTable
      minWidth={760}
      aria-label={t('numbers')}
      verticalSpacing="xs"
      rows={byVoter}
      keyOf={({ voter, author, direction }) => `${voter._id} ${author._id} ${direction}`}
      columns={[
        {
          label: t('column.voter'),
          isRowHeader: true,
          cell: (link) => (
            <>
              <PersonName person={link.voter} spaceId={spaceId} />
              {firsts.has(link) && <VoterLinks voter={link.voter} spaceId={spaceId} />}
            </>
          ),
        },
        {
          label: t('column.author'),
          cell: (link) => (
            <>
              <PersonName person={link.author} spaceId={spaceId} />
              {firstFor.get(link.author._id) === link && (
                <GiversLink space={spaceId} author={link.author._id} size="sm" />
              )}
            </>
          ),
        },
        {
          label: t('linkColumn.votes'),
          cell: ({ votes, given, direction }) =>
            t(`linkVotes.${direction}`, { votes, given, share: percent.format(votes / Math.max(1, given)) }),
        },
        { label: t('linkColumn.expected'), cell: ({ expected }) => decimal(expected, i18n.language) },
        {
          label: t('linkColumn.chance'),
          cell: ({ chanceLog10 }) =>
            chanceLog10 > SIGNIFICANCE_LOG10
              ? t('linkNotSignificant')
              : t('linkChance', { number: oneIn(chanceLog10, i18n.language) }),
        },
      ]}
    />
  );
}

function VoterLinks({ voter, spaceId }: { voter: LinkRow['voter']; spaceId: string }) {
  const { t } = useTranslation('patterns');
  const name = shownName(voter);
  const audit = new URLSearchParams({ view: 'voter', of: voter._id, space: spaceId });
  return (
    <Stack gap={2}>
      <Anchor component={Link} size="sm" to={paths.votesToReview({ space: spaceId, voter: voter._id })}>
        {t('allVotesOf', { name })}
      </Anchor>
      <Anchor component={Link} size="sm" to={`${paths.audit}?${audit}`}>
        {t('auditOf', { name })}
      </Anchor>
    </Stack>
  );
}

const verdicts = ['SEEN', 'HARMLESS', 'WATCHED'] as const;

/** The current triage verdict and the buttons to change it. */
function TriageCard({ pattern, spaceId }: { pattern: VotePatternRowFragment; spaceId: string }) {
  const { t } = useTranslation('patterns');
  const client = useApolloClient();
  const [triage, { loading, error }] = useMutation(TriageVotePatternDocument);
  const { _id, votes, revision, triage: last, state, hasGrown } = pattern;
  const decide = async (verdict: VotePatternVerdict) => {
    try {
      await triage({ variables: { space: spaceId, pattern: _id, verdict, votes, revision } });
      toast.success(t('triage.done'));
    } catch {
      // `error` is rendered; the pattern is refetched below.
    }
    await client.refetchQueries({
      include: [VotePatternDocument, PatternCountsDocument, ModerationCountsDocument],
    });
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
              name: shownName(last.moderator),
            })}{' '}
            <ExactTime at={last.at} />
            {hasGrown && <> · {t('triage.grownFrom', { before: last.votes, now: votes })}</>}
          </Text>
        ) : (
          <Text c="dimmed">{t('triage.notTriaged')}</Text>
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
