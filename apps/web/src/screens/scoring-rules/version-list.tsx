import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import type { Version } from './rules';
import classes from './scoring-rules.module.css';
import { VersionOrigin, VersionState } from './version-origin';
import { WithdrawDialog } from './withdraw-dialog';

interface VersionListProps {
  versions: readonly Version[];
  /** Left out while there is a draft. */
  onDraft?: (from: Version) => void;
  onChanged: () => Promise<void>;
}

/** Every version, who published it, and what students were told. */
export function VersionList({ versions, onDraft, onChanged }: VersionListProps) {
  const { t } = useTranslation('scoringRules');
  const [withdrawn, setWithdrawn] = useState<number>();
  return (
    <Paper component="section" withBorder radius="lg" p="lg" aria-labelledby="versions">
      <Title order={2} size="h3" id="versions" mb="sm">
        {t('versions')}
      </Title>
      <ol className={classes.versions} reversed>
        {versions.map((version) => (
          <li key={version.version} className={classes.version}>
            <div>
              <Group gap="xs">
                <Text fw={600}>{t('version', { version: version.version })}</Text>
                <VersionState version={version} />
              </Group>
              <VersionOrigin version={version} />
              <p className={classes.note}>{version.publishedAt === null ? t('firstRules') : version.note}</p>
            </div>
            <Group gap="xs">
              {version.state === 'SCHEDULED' && (
                <Button
                  variant="default"
                  size="xs"
                  c="var(--nimo-danger)"
                  onClick={() => setWithdrawn(version.version)}
                >
                  {t('withdraw', { version: version.version })}
                </Button>
              )}
              {onDraft && (
                <Button variant="default" size="xs" onClick={() => onDraft(version)}>
                  {t('draftFrom', { version: version.version })}
                </Button>
              )}
              {version.state !== 'WITHDRAWN' && (
                <Anchor component={Link} to={paths.scoringVersion(version.version)} size="sm">
                  {t('leaderboardUnder', { version: version.version })}
                </Anchor>
              )}
            </Group>
          </li>
        ))}
      </ol>
      {withdrawn !== undefined && (
        <WithdrawDialog version={withdrawn} onClose={() => setWithdrawn(undefined)} onWithdrawn={onChanged} />
      )}
    </Paper>
  );
}
