import { useQuery } from '@apollo/client/react';
import { Anchor, NativeSelect, Pagination, Paper, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import {
  LeaderboardUnderRulesDocument,
  ScoringVersionsDocument,
  SpacesDocument,
} from '../../../generated/graphql';
import { exactTime } from '../../../lib/format';
import { MoveRows } from './moves-table';
import type { Version } from './rules';
import { RulesTable } from './rules-table';
import { VersionOrigin } from './version-origin';
import classes from './scoring-rules.module.css';

/** An earlier version of the rules, and today's leaderboard under it. */
export default function ScoringVersionScreen() {
  const { t } = useTranslation('scoringRules');
  const version = Number(useParams()['version']);
  const { data, error, refetch } = useQuery(ScoringVersionsDocument);
  const rules = data?.getScoringVersions.find((known) => known.version === version);
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.scoring} className={classes.person}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('title')}
      </Anchor>
      <PageHeading>{t('version', { version })}</PageHeading>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <SkeletonRows count={12} height={36} />}
      {data && !rules && <Text>{t('noVersion')}</Text>}
      {rules && <VersionDetails rules={rules} />}
    </div>
  );
}

function VersionDetails({ rules }: { rules: Version }) {
  const { t } = useTranslation('scoringRules');
  const { version } = rules;
  const spaces = useQuery(SpacesDocument);
  const [chosen, setChosen] = useState<string>();
  const list = spaces.data?.getSpaces ?? [];
  const space = chosen ?? list[0]?._id;
  return (
    <>
      <VersionOrigin version={rules} />
      <Text>{rules.publishedAt === null ? t('firstRules') : rules.note}</Text>
      <Paper withBorder radius="lg" p="lg">
        <RulesTable rules={rules} label={t('version', { version })} />
      </Paper>
      {rules.state !== 'WITHDRAWN' && (
        <Paper component="section" withBorder radius="lg" p="lg" aria-labelledby="under">
          <div className={classes.head}>
            <Title order={2} size="h3" id="under">
              {t('leaderboardUnder', { version })}
            </Title>
            <NativeSelect
              aria-label={t('space')}
              value={space ?? ''}
              data={list.map(({ _id, name }) => ({ value: _id, label: name }))}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
            />
          </div>
          <Text size="sm" c="dimmed" mb="sm">
            {t('underNote', { version })}
          </Text>
          {spaces.error && <ErrorNotice error={spaces.error} onRetry={() => void spaces.refetch()} />}
          {space !== undefined && <Board key={space} version={version} space={space} />}
        </Paper>
      )}
    </>
  );
}

function Board({ version, space }: { version: number; space: string }) {
  const { t, i18n } = useTranslation('scoringRules');
  const [page, setPage] = useState(1);
  const { data, previousData, error, refetch } = useQuery(LeaderboardUnderRulesDocument, {
    variables: { version, space, page },
    fetchPolicy: 'no-cache',
  });
  const shown = (data ?? previousData)?.getLeaderboardUnderRules;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!shown) return <SkeletonRows count={8} height={40} />;
  if (shown.docs.length === 0) return <Text c="dimmed">{t('noScores')}</Text>;
  return (
    <>
      <MoveRows moves={shown.docs} showsSpace={false} />
      {shown.totalPages > 1 && (
        <Pagination
          mt="md"
          total={shown.totalPages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': t(`pages.${control}`) })}
          getItemProps={(item) => ({ 'aria-label': t('page', { page: item }) })}
        />
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {t('calculatedAt', { moment: exactTime(new Date(shown.calculatedAt), i18n.language) })}
      </Text>
    </>
  );
}
