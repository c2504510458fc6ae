import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ProjectionPartsFragment } from '../../generated/graphql';

const colours = {
  FOLLOWING: 'green',
  BEHIND: 'yellow',
  AHEAD: 'red',
  STOPPED: 'red',
  WAITING: 'gray',
} as const;

export function ProjectionStateBadge({ state }: Pick<ProjectionPartsFragment, 'state'>) {
  const { t } = useTranslation('projections');
  return (
    <Badge variant="light" color={colours[state]} miw="max-content">
      {t(`state.${state}`)}
    </Badge>
  );
}
