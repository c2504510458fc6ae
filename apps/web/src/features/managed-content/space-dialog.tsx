import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Checkbox, NumberInput, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import {
  ChangeSpaceDocument,
  CreateSpaceDocument,
  type ManagedSpacePartsFragment,
} from '../../generated/graphql';
import { changedFields, FormDialog, saving } from '../../components/dialogs';
import { HexField, PictureField } from './fields';

const entries = ['OPEN', 'REQUEST', 'INVITATION'] as const;
/** Cannot be changed until the import is complete. */
const importing = ['IMPORTING'] as const;

function useSpaceSchema() {
  const { t } = useTranslation('content');
  return z.object({
    name: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.name')), z.maxLength(100, t('tooLong', { max: 100 }))),
    description: z.string().check(z.maxLength(2000, t('tooLong', { max: 2000 }))),
    color: z.string().check(z.regex(/^[0-9a-f]{6}$/i, t('missing.color'))),
    bannerImageUrl: z.nullable(z.string()),
    hiddenFromSearchEngines: z.boolean(),
    entry: z.enum([...entries, ...importing]),
    publicPages: z.boolean(),
    consentAge: z.nullable(z.number()),
  });
}
type SpaceValues = z.infer<ReturnType<typeof useSpaceSchema>>;

const newSpace: SpaceValues = {
  name: '',
  description: '',
  color: '2563eb',
  bannerImageUrl: null,
  hiddenFromSearchEngines: true,
  entry: 'OPEN',
  publicPages: false,
  consentAge: null,
};
const valuesOf = (space: ManagedSpacePartsFragment): SpaceValues => ({
  name: space.name,
  description: space.description,
  color: space.color,
  bannerImageUrl: space.bannerImageUrl ?? null,
  hiddenFromSearchEngines: space.hiddenFromSearchEngines,
  entry: space.entry,
  publicPages: space.publicPages,
  consentAge: space.consentAge ?? null,
});

interface SpaceDialogProps {
  /** The space to edit; undefined to create one. */
  space?: ManagedSpacePartsFragment;
  onSaved: (space: ManagedSpacePartsFragment, act: number | null) => void;
  onClose: () => void;
}

export function SpaceDialog({ space, onSaved, onClose }: SpaceDialogProps) {
  const { t } = useTranslation('content');
  const shown = space ? valuesOf(space) : newSpace;
  const [create] = useMutation(CreateSpaceDocument);
  const [change] = useMutation(ChangeSpaceDocument);
  const { register, control, handleSubmit, setError, formState } = useForm<SpaceValues>({
    resolver: zodResolver(useSpaceSchema()),
    defaultValues: shown,
  });
  const { errors } = formState;
  const isOpen = useWatch({ control, name: 'entry' }) === 'OPEN';
  const send = async (values: SpaceValues) => {
    const saved = space
      ? (await change({ variables: { id: space._id, ...changedFields(values, shown) } })).data?.changeSpace
      : (await create({ variables: { details: values } })).data?.createSpace;
    if (saved) onSaved(saved.space, saved.act ?? null);
  };
  return (
    <FormDialog
      title={space ? t('spaces.edit', { name: space.name }) : t('spaces.add')}
      onClose={onClose}
      onSubmit={handleSubmit((values) =>
        saving(() => send(values), setError, [
          'name',
          'description',
          'color',
          'bannerImageUrl',
          'consentAge',
        ]),
      )}
    >
      <TextInput
        label={t('name')}
        withAsterisk
        data-autofocus
        error={errors.name?.message}
        {...register('name')}
      />
      <Textarea
        label={t('description')}
        autosize
        minRows={2}
        error={errors.description?.message}
        {...register('description')}
      />
      <Controller
        control={control}
        name="color"
        render={({ field }) => (
          <HexField value={field.value} error={errors.color?.message} onChange={field.onChange} />
        )}
      />
      <Controller
        control={control}
        name="bannerImageUrl"
        render={({ field }) => (
          <PictureField
            label={t('spaces.banner')}
            isOptional
            value={field.value}
            error={errors.bannerImageUrl?.message}
            onChange={field.onChange}
          />
        )}
      />
      <Controller
        control={control}
        name="entry"
        render={({ field }) => (
          <Radio.Group label={t('spaces.entry')} description={t('spaces.entryHint')} {...field}>
            <Stack gap="xs" mt="xs">
              {(shown.entry === 'IMPORTING' ? importing : entries).map((entry) => (
                <Radio key={entry} value={entry} label={t(`spaces.entryOf.${entry}`)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
      />
      <Controller
        control={control}
        name="consentAge"
        render={({ field }) => (
          <NumberInput
            label={t('spaces.consentAge')}
            description={t('spaces.consentAgeHint')}
            min={10}
            max={21}
            allowDecimal={false}
            clampBehavior="none"
            value={field.value ?? ''}
            error={errors.consentAge?.message}
            onChange={(age) => field.onChange(typeof age === 'number' ? age : null)}
          />
        )}
      />
      {isOpen && (
        <>
          <Checkbox
            label={t('spaces.publicPages')}
            description={t('spaces.publicPagesHint')}
            {...register('publicPages')}
          />
          <Checkbox
            label={t('spaces.hidden')}
            description={t('spaces.hiddenHint')}
            {...register('hiddenFromSearchEngines')}
          />
        </>
      )}
    </FormDialog>
  );
}
