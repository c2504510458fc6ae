import { useMutation, useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { toast } from '../../components/toast';
import { ActNote, useLatestAct } from '../../features/managed-content/act-note';
import classes from '../../features/managed-content/managed.module.css';
import {
  ManagedAvatarsDocument,
  RestoreAvatarDocument,
  RetireAvatarDocument,
  type ManagedAvatarPartsFragment,
} from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { AvatarDialog } from './avatar-dialog';

/** The pictures that students may pick, by group, with those that are not offered any more. */
export default function ManagedAvatarsScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(ManagedAvatarsDocument, { fetchPolicy: 'cache-and-network' });
  const [editing, setEditing] = useState<{ avatar?: ManagedAvatarPartsFragment }>();
  const { act, tell, clear } = useLatestAct();
  const avatars = data?.getManagedAvatars;
  const groups = [...new Set(avatars?.map(({ group }) => group))];
  const acted = (ordinal: number | null) => {
    setEditing(undefined);
    tell(ordinal);
    void refetch();
  };
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing({})}>
            {t('avatars.add')}
          </Button>
        }
      >
        {t('avatars.title')}
      </PageHeading>
      <p className={classes.lead}>{t('avatars.lead')}</p>
      <ActNote act={act} onClose={clear} />
      {error && !avatars && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!avatars && !error && <SkeletonRows count={3} height={200} />}
      {groups.map((group) => (
        <section key={group} className={classes.panel} aria-label={group}>
          <Title order={2} size="h3" mb="sm">
            {group}
          </Title>
          <ul className={classes.gallery}>
            {avatars
              ?.filter((avatar) => avatar.group === group)
              .map((avatar) => (
                <AvatarCard
                  key={avatar._id}
                  avatar={avatar}
                  onEdit={() => setEditing({ avatar })}
                  onActed={acted}
                />
              ))}
          </ul>
        </section>
      ))}
      {editing && (
        <AvatarDialog
          avatar={editing.avatar}
          groups={groups}
          onSaved={acted}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  );
}

interface AvatarCardProps {
  avatar: ManagedAvatarPartsFragment;
  onEdit: () => void;
  onActed: (act: number | null) => void;
}

function useOffering({ _id: id }: ManagedAvatarPartsFragment, onActed: (act: number | null) => void) {
  const onError = (failure: unknown) => void toast.error(errorText(failure));
  const [retire, retiring] = useMutation(RetireAvatarDocument, {
    variables: { id },
    onError,
    onCompleted: ({ retireAvatar }) => onActed(retireAvatar.act ?? null),
  });
  const [restore, restoring] = useMutation(RestoreAvatarDocument, {
    variables: { id },
    onError,
    onCompleted: ({ restoreAvatar }) => onActed(restoreAvatar.act ?? null),
  });
  return { retire, restore, isChanging: retiring.loading || restoring.loading };
}

function AvatarCard({ avatar, onEdit, onActed }: AvatarCardProps) {
  const { t } = useTranslation('content');
  const { label: name, imageUrl, isRetired, isBuiltIn } = avatar;
  const { retire, restore, isChanging } = useOffering(avatar, onActed);
  return (
    <li className={classes.avatar} data-retired={isRetired || undefined}>
      <img src={imageUrl} alt="" width={72} height={72} loading="lazy" />
      <strong>{name}</strong>
      <Group gap={4} justify="center" mih={22}>
        {isBuiltIn && (
          <Badge size="sm" variant="default" tt="none">
            {t('avatars.builtIn')}
          </Badge>
        )}
        {isRetired && (
          <Badge size="sm" variant="default" tt="none">
            {t('avatars.retired')}
          </Badge>
        )}
      </Group>
      <Group gap={4} justify="center">
        <Button variant="default" size="compact-xs" aria-label={t('avatars.edit', { name })} onClick={onEdit}>
          {t('edit')}
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          loading={isChanging}
          aria-label={t(isRetired ? 'avatars.restoreOne' : 'avatars.retireOne', { name })}
          onClick={() => void (isRetired ? restore() : retire())}
        >
          {t(isRetired ? 'avatars.restore' : 'avatars.retire')}
        </Button>
      </Group>
    </li>
  );
}
