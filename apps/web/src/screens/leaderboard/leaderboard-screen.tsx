import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { PageHeading } from '../../components/page-heading';
import { ModeratorAsOfLink } from '../../features/areas/moderator-as-of-link';
import { paths } from '../../app/paths';
import { useCurrentSpace } from '../../lib/auth-storage';
import { LeaderboardRows, type Start } from './leaderboard-rows';
import classes from './leaderboard-screen.module.css';
import { OwnRank } from './own-rank';
import { ScoringModal } from './scoring-modal';
import { rowsOfPage } from './use-leaderboard';

export default function LeaderboardScreen() {
  const { t } = useTranslation('leaderboard');
  const space = useCurrentSpace()?._id ?? '';
  const [isHelpOpen, help] = useDisclosure();
  // In the address, so that the way back leads to the same places.
  const [search, setSearch] = useSearchParams();
  const [jump, setJump] = useState(0);
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  const start: Start = { page, jump };
  const jumpTo = (rank: number) => {
    const wanted = Math.ceil(rank / rowsOfPage);
    setSearch(wanted === 1 ? {} : { page: String(wanted) }, { replace: true });
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
