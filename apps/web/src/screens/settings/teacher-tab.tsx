import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { enterSpace } from '../../lib/auth-storage';
import type { OwnAccount, OwnSpace } from './settings-screen';
import classes from './settings.module.css';
import rows from '../../components/framed-rows.module.css';

interface TeacherTabProps {
  roles: OwnAccount['roles'];
  spaces: readonly OwnSpace[];
}

/** The roles beyond the student's, where they hold, and the way there. */
export function TeacherTab({ roles, spaces }: TeacherTabProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'teacher' });
  return (
    <Stack gap="md" className={classes.card}>
      <Text c="dimmed">{t('lead')}</Text>
      <ul className={rows.list}>
        {roles.map(({ role, space }) => (
          <RoleRow
            key={`${role} ${space ?? ''}`}
            role={role}
            space={spaces.find(({ _id }) => _id === space)}
            isEverywhere={space === null}
          />
        ))}
      </ul>
    </Stack>
  );
}

interface RoleRowProps {
  role: OwnAccount['roles'][number]['role'];
  space: OwnSpace | undefined;
  isEverywhere: boolean;
}

function RoleRow({ role, space, isEverywhere }: RoleRowProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'teacher' });
  const navigate = useNavigate();
  const isModerator = role === 'MODERATOR';
  const open = ({ _id, name }: OwnSpace) => {
    enterSpace({ _id, name });
    void navigate(paths.dashboard);
  };
  return (
    <li className={rows.row}>
      <div className={rows.grow}>
        <Text fw={600}>
          {t(isModerator ? 'moderator' : 'maintainer')} · {isEverywhere ? t('allSpaces') : space?.name}
        </Text>
        <Text size="sm" c="dimmed">
          {t(isModerator ? 'moderatorRights' : 'maintainerRights')}
        </Text>
      </div>
      {isModerator ? (
        <Button component={Link} to={paths.moderation} variant="default" size="xs">
          {t('toModeration')}
        </Button>
      ) : (
        <Button component={Link} to={paths.maintenance} variant="default" size="xs">
          {t('toMaintenance')}
        </Button>
      )}
      {space?.joined && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('openOf', { space: space.name })}
          onClick={() => open(space)}
        >
          {t('open')}
        </Button>
      )}
    </li>
  );
}
