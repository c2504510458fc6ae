import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { VotePatternRowFragment } from '../../generated/graphql';

const colors = { NEW: 'red.8', SEEN: 'gray', WATCHED: 'blue', HARMLESS: 'green.9' } as const;

/** What became of a pattern, and whether it grew since. */
export function PatternBadges({ pattern: { state, hasGrown } }: { pattern: VotePatternRowFragment }) {
  const { t } = useTranslation('patterns');
  return (
    <>
      <Badge variant={state === 'NEW' ? 'filled' : 'default'} color={colors[state]}>
        {t(`triage.state.${state}`)}
      </Badge>
      {hasGrown && (
        <Badge variant="outline" color="red.9">
          {t('triage.grown')}
        </Badge>
      )}
    </>
  );
}
