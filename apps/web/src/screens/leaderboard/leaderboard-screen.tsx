import { ActionIcon, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../../components/page-heading';
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
          <Tooltip label={t('help')}>
            <ActionIcon variant="subtle" size="lg" aria-label={t('help')} onClick={help.open}>
              <IconHelpCircle size={22} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
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
