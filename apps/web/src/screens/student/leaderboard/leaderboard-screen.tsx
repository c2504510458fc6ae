import { useQuery } from '@apollo/client/react';
import { ActionIcon, Anchor, Button, Group, List, Modal, Table, Text, Title, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ErrorNotice, QuietNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { Placeholder, SkeletonRows } from '../../../components/skeletons';
import { ModeratorAsOfLink } from '../../../features/areas/moderator-as-of-link';
import { RuleChanges } from '../../../features/scoring/rule-changes';
import {
  OwnScoreDocument,
  type ScoreReasonKind,
  ScoringRulesDocument,
  type ScoringRulesQuery,
} from '../../../generated/graphql';
import { useCurrentSpace } from '../../../lib/auth-storage';
import { signedNumber, wholeNumber } from '../../../lib/format';
import { useFocusReturn } from '../../../lib/browser/focus';
import { LeaderboardRows, rowsOfPage, type Start } from './leaderboard-rows';
import classes from './leaderboard-screen.module.css';

export default function LeaderboardScreen() {
  const { t } = useTranslation('leaderboard');
  const space = useCurrentSpace()?._id ?? '';
  const [isHelpOpen, help] = useDisclosure();
  // In the URL, so that Back returns to the same ranks.
  const [search, setSearch] = useSearchParams();
  const [jump, setJump] = useState(0);
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  const start: Start = { page, jump };
  const jumpTo = (rank: number) => {
    const ownPage = Math.ceil(rank / rowsOfPage);
    setSearch(ownPage === 1 ? {} : { page: String(ownPage) }, { replace: true });
    setJump(jump + 1);
  };
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Group gap="sm">
            <ModeratorAsOfLink spaceId={space} to={paths.leaderboardAsOf(space)} />
            <Tooltip label={t('help')}>
              <ActionIcon variant="subtle" size="lg" aria-label={t('help')} onClick={help.open}>
                <IconHelpCircle size={22} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
          </Group>
        }
      >
        {t('title')}
      </PageHeading>
      <OwnRank space={space} onJump={jumpTo} />
      <LeaderboardRows key={space} space={space} start={start} />
      <ScoringModal opened={isHelpOpen} onClose={help.close} />
    </div>
  );
}

interface OwnRankProps {
  space: string;
  onJump: (rank: number) => void;
}

/** The reader's rank, its explanation, and the jump to the own row. */
function OwnRank({ space, onJump }: OwnRankProps) {
  const { data, error, refetch } = useQuery(OwnScoreDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  if (error && !data) return <QuietNotice error={error} onRetry={() => void refetch()} />;
  // As high as the content, however it wraps.
  if (!data)
    return (
      <Placeholder>
        <Line rank={1} score={0} />
      </Placeholder>
    );
  // Rank and score come from the reader's row in the list, so the two always agree.
  const { scores } = data.getLeaderboardScores;
  return (
    <>
      <Line rank={scores?.rank} score={scores?.score ?? 0} onJump={onJump} />
      {error && <QuietNotice error={error} isStale onRetry={() => void refetch()} />}
    </>
  );
}

interface LineProps {
  rank: number | undefined;
  score: number;
  onJump?: (rank: number) => void;
}

function Line({ rank, score, onJump }: LineProps) {
  const { t, i18n } = useTranslation('leaderboard');
  return (
    <div className={classes.rank}>
      <p>
        {t('rank', {
          rank: typeof rank === 'number' ? wholeNumber(rank, i18n.language) : '–',
          score: wholeNumber(score, i18n.language),
        })}
      </p>
      <Anchor component={Link} to={paths.scoreExplanation}>
        {t('howCalculated')}
      </Anchor>
      {typeof rank === 'number' && (
        <Button variant="default" size="compact-sm" onClick={() => onJump?.(rank)}>
          {t('jump')}
        </Button>
      )}
    </div>
  );
}

/** In the order of the specification. */
const merit = [
  'QUESTION_UPVOTED',
  'ANSWER_UPVOTED',
  'ANSWER_ACCEPTED',
  'ACCEPTED_AN_ANSWER',
  'QUESTION_DOWNVOTED',
  'ANSWER_DOWNVOTED',
  'DOWNVOTE_CAST',
  'POST_REPORTED',
] as const satisfies readonly ScoreReasonKind[];
const impact = [
  'QUESTION_POSTED',
  'ANSWER_POSTED',
  'COMMENT_POSTED',
  'UPVOTE_CAST',
] as const satisfies readonly ScoreReasonKind[];
const everything: readonly ScoreReasonKind[] = [...merit, ...impact];

interface Row {
  kind: ScoreReasonKind;
  points: number;
}

/** Points under the current rules. */
function ScoringModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('leaderboard');
  useFocusReturn(opened);
  return (
    <Modal opened={opened} onClose={onClose} title={t('scores.title')} size="lg">
      <Text c="dimmed">{t('scores.intro')}</Text>
      <Rules />
    </Modal>
  );
}

function Rules() {
  const { t } = useTranslation('leaderboard');
  const { data, error, refetch } = useQuery(ScoringRulesDocument, { fetchPolicy: 'cache-and-network' });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={12} height={32} />;
  const { weights, reportThreshold, safeguards, changes } = data.getScoringRules;
  return (
    <>
      <RuleChanges changes={changes} />
      <ScoringTable
        heading={t('scores.merit')}
        note={t('scores.meritNote')}
        rows={rowsOf(weights, merit, 'merit')}
        threshold={reportThreshold}
      />
      <ScoringTable
        heading={t('scores.impact')}
        note={t(
          safeguards.deletionForfeitsWithinHours > 0 ? 'scores.impactNoteForfeit' : 'scores.impactNote',
        )}
        rows={rowsOf(weights, impact, 'impact')}
        threshold={reportThreshold}
      />
      <Safeguards safeguards={safeguards} />
    </>
  );
}

/** Rules against farming points in words; nothing if all are off. */
function Safeguards({ safeguards }: Pick<ScoringRulesQuery['getScoringRules'], 'safeguards'>) {
  const { t } = useTranslation('leaderboard');
  const hours = safeguards.deletionForfeitsWithinHours;
  const sentences = [
    safeguards.acceptancePaysOncePerQuestion && t('scores.safeguard.acceptance'),
    hours > 0 && t('scores.safeguard.forfeit', { count: hours }),
    safeguards.downvotesNeedMerit && t('scores.safeguard.downvotes'),
    safeguards.upheldReportsCount && t('scores.safeguard.upheld'),
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0) return null;
  return (
    <>
      <Title order={3} mt="lg" mb="xs">
        {t('scores.safeguards')}
      </Title>
      <List size="sm">
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </>
  );
}

type Weights = ScoringRulesQuery['getScoringRules']['weights'];

/** The usual kinds of the column and any others in the rules, without those worth nothing. */
function rowsOf(weights: Weights, usual: readonly ScoreReasonKind[], column: 'merit' | 'impact'): Row[] {
  const order = [...usual, ...everything.filter((kind) => !usual.includes(kind))];
  return order.flatMap((kind) => {
    const points = weights.find((weight) => weight.kind === kind)?.[column] ?? 0;
    return points === 0 ? [] : [{ kind, points }];
  });
}

interface ScoringTableProps {
  heading: string;
  note: string;
  rows: readonly Row[];
  threshold: number;
}

function ScoringTable({ heading, note, rows, threshold }: ScoringTableProps) {
  const { t, i18n } = useTranslation('leaderboard');
  return (
    <>
      <Title order={3} mt="lg">
        {heading}
      </Title>
      <Text size="sm" c="dimmed">
        {note}
      </Text>
      <Table mt="xs" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('scores.activity')}</Table.Th>
            <Table.Th ta="end">{t('scores.points')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ kind, points }) => (
            <Table.Tr key={kind}>
              <Table.Td>{t(`scores.kind.${kind}`, { count: threshold })}</Table.Td>
              <Table.Td
                ta="end"
                fw={600}
                c={points < 0 ? 'var(--nimo-danger)' : 'var(--nimo-success)'}
                className="nimo-tabular"
              >
                {signedNumber(points, i18n.language)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
