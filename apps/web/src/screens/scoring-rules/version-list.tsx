import { Anchor, Badge, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { RelativeTime } from '../../components/relative-time';
import { exactTime } from '../../lib/format';
import type { Version } from './rules';
import classes from './scoring-rules.module.css';

interface VersionListProps {
  versions: readonly Version[];
  /** The one that new facts count by. */
  inForce: number | undefined;
  /** Left out while there is a draft. */
  onDraft?: (from: Version) => void;
}

/** Every version, who published it, and what students were told. */
export function VersionList({ versions, inForce, onDraft }: VersionListProps) {
  const { t } = useTranslation('scoringRules');
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
                {version.version === inForce && <Badge variant="light">{t('now')}</Badge>}
              </Group>
              <Origin version={version} />
              <p className={classes.note}>{version.publishedAt === null ? t('firstRules') : version.note}</p>
            </div>
            <Group gap="xs">
              {onDraft && (
                <Button variant="default" size="xs" onClick={() => onDraft(version)}>
                  {t('draftFrom', { version: version.version })}
                </Button>
              )}
              <Anchor component={Link} to={paths.scoringVersion(version.version)} size="sm">
                {t('leaderboardUnder', { version: version.version })}
              </Anchor>
            </Group>
          </li>
        ))}
      </ol>
    </Paper>
  );
}

function Origin({ version: { publishedAt, publishedBy, effectiveFrom } }: { version: Version }) {
  const { t, i18n } = useTranslation('scoringRules');
  if (publishedAt === null) return null;
  const scope =
    effectiveFrom === null
      ? t('forAll')
      : t('fromThen', { moment: exactTime(new Date(effectiveFrom), i18n.language) });
  return (
    <Text size="sm" c="dimmed">
      {publishedBy ? t('by', { name: publishedBy.userName }) : t('byOperator')} ·{' '}
      <RelativeTime at={publishedAt} /> · {scope}
    </Text>
  );
}
