import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Autocomplete, TextInput } from '@mantine/core';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { changedFields } from '../../features/managed-content/changed-fields';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { PictureField } from '../../features/managed-content/picture-field';
import { saving } from '../../features/managed-content/use-saving';
import {
  AddAvatarDocument,
  ChangeAvatarDocument,
  type ManagedAvatarPartsFragment,
} from '../../generated/graphql';

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
  /** The avatar to change; none adds one. */
  avatar: ManagedAvatarPartsFragment | undefined;
  groups: readonly string[];
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

export function AvatarDialog({ avatar, groups, onSaved, onClose }: AvatarDialogProps) {
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
      error={errors.root?.message}
      isSaving={formState.isSubmitting}
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
