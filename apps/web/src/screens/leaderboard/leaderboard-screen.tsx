import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
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
  const [start, setStart] = useState<Start>({ page: 1, jump: 0 });
  const jumpTo = (rank: number) =>
    setStart(({ jump }) => ({ page: Math.ceil(rank / rowsOfPage), jump: jump + 1 }));
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
