import { useMutation, useQuery } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Autocomplete, Badge, Button, Group, TextInput, Title } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import { ChangeNote, useLatestChange } from '../../../features/managed-content/managed-screen';
import { changedFields, FormDialog, saving } from '../../../components/dialogs';
import classes from '../../../features/managed-content/managed.module.css';
import { PictureField } from '../../../features/managed-content/fields';
import {
  AddAvatarDocument,
  ChangeAvatarDocument,
  type ManagedAvatarPartsFragment,
  ManagedAvatarsDocument,
  RestoreAvatarDocument,
  RetireAvatarDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';

/** Avatars by group, including retired ones. */
export default function ManagedAvatarsScreen() {
  const { t } = useTranslation('content');
  const { data, error, refetch } = useQuery(ManagedAvatarsDocument, { fetchPolicy: 'cache-and-network' });
  const [editing, setEditing] = useState<{ avatar?: ManagedAvatarPartsFragment }>();
  const { change, showChange, clear } = useLatestChange();
  const avatars = data?.getManagedAvatars;
  const groups = [...new Set(avatars?.map(({ group }) => group))];
  const acted = (ordinal: number | null) => {
    setEditing(undefined);
    showChange(ordinal);
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
      <ChangeNote change={change} onClose={clear} />
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

function useAvatarSchema() {
  const { t } = useTranslation('content');
  const tooLong = t('tooLong', { max: 60 });
  return z.object({
    group: z.string().check(z.trim(), z.minLength(1, t('missing.group')), z.maxLength(60, tooLong)),
    label: z.string().check(z.trim(), z.minLength(1, t('missing.name')), z.maxLength(60, tooLong)),
    imageUrl: z.string().check(z.minLength(1, t('missing.picture'))),
  });
}
type AvatarValues = z.infer<ReturnType<typeof useAvatarSchema>>;

interface AvatarDialogProps {
  /** The avatar to edit; undefined to add one. */
  avatar: ManagedAvatarPartsFragment | undefined;
  groups: readonly string[];
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

function AvatarDialog({ avatar, groups, onSaved, onClose }: AvatarDialogProps) {
  const { t } = useTranslation('content');
  const [add] = useMutation(AddAvatarDocument);
  const [change] = useMutation(ChangeAvatarDocument);
  const shown: AvatarValues = {
    group: avatar?.group ?? groups[0] ?? '',
    label: avatar?.label ?? '',
    imageUrl: avatar?.imageUrl ?? '',
  };
  const { register, control, handleSubmit, setError, formState } = useForm<AvatarValues>({
    resolver: zodResolver(useAvatarSchema()),
    defaultValues: shown,
  });
  const { errors } = formState;
  const send = async (values: AvatarValues) => {
    const saved = avatar
      ? (await change({ variables: { id: avatar._id, ...changedFields(values, shown) } })).data?.changeAvatar
      : (await add({ variables: values })).data?.addAvatar;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={avatar ? t('avatars.edit', { name: avatar.label }) : t('avatars.add')}
      onClose={onClose}
      onSubmit={handleSubmit((values) =>
        saving(() => send(values), setError, ['group', 'label', 'imageUrl']),
      )}
    >
      <TextInput
        label={t('name')}
        withAsterisk
        data-autofocus
        error={errors.label?.message}
        {...register('label')}
      />
      <Controller
        control={control}
        name="group"
        render={({ field }) => (
          <Autocomplete
            label={t('avatars.group')}
            description={t('avatars.groupHint')}
            withAsterisk
            data={[...groups]}
            error={errors.group?.message}
            {...field}
          />
        )}
      />
      <Controller
        control={control}
        name="imageUrl"
        render={({ field }) => (
          <PictureField
            label={t('picture')}
            value={field.value}
            error={errors.imageUrl?.message}
            onChange={(url) => field.onChange(url ?? '')}
          />
        )}
      />
    </FormDialog>
  );
}
