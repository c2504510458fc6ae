import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { NativeSelect, TextInput } from '@mantine/core';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { changedFields } from '../../features/managed-content/changed-fields';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { PictureField } from '../../features/managed-content/picture-field';
import { saving } from '../../features/managed-content/use-saving';
import {
  AddTopicDocument,
  ChangeTopicDocument,
  type ManagedTopicPartsFragment,
} from '../../generated/graphql';

function useTopicSchema() {
  const { t } = useTranslation('content');
  return z.object({
    topicName: z
      .string()
      .check(z.trim(), z.minLength(1, t('missing.name')), z.maxLength(100, t('tooLong', { max: 100 }))),
    topicType: z.enum(['PRIMARY', 'SECONDARY']),
    imageS3Url: z.nullable(z.string()),
  });
}
type TopicValues = z.infer<ReturnType<typeof useTopicSchema>>;

interface TopicDialogProps {
  subjectId: string;
  /** The topic to change; none adds one. */
  topic: ManagedTopicPartsFragment | undefined;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

export function TopicDialog({ subjectId, topic, onSaved, onClose }: TopicDialogProps) {
  const { t } = useTranslation('content');
  const [add] = useMutation(AddTopicDocument);
  const [change] = useMutation(ChangeTopicDocument);
  const shown: TopicValues = {
    topicName: topic?.topicName ?? '',
    topicType: topic?.topicType ?? 'PRIMARY',
    imageS3Url: topic?.imageS3Url ?? null,
  };
  const { register, control, handleSubmit, setError, formState } = useForm<TopicValues>({
    resolver: zodResolver(useTopicSchema()),
    defaultValues: shown,
  });
  const { errors } = formState;
  const send = async (values: TopicValues) => {
    const { topicName, imageS3Url } = values;
    const saved = topic
      ? (await change({ variables: { id: topic._id, ...changedFields(values, shown) } })).data?.changeTopic
      : (await add({ variables: { subject: subjectId, topicName, imageS3Url } })).data?.addTopic;
    if (saved) onSaved(saved.act ?? null);
  };
  return (
    <FormDialog
      title={topic ? t('space.editTopic', { name: topic.topicName }) : t('space.addTopic')}
      error={errors.root?.message}
      isSaving={formState.isSubmitting}
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['topicName', 'imageS3Url']))}
    >
      <TextInput
        label={t('name')}
        description={topic && t('space.renameHint')}
        withAsterisk
        data-autofocus
        error={errors.topicName?.message}
        {...register('topicName')}
      />
      {topic && (
        <NativeSelect
          label={t('space.type')}
          description={t('space.typeHint')}
          data={[
            { value: 'PRIMARY', label: t('space.primary') },
            { value: 'SECONDARY', label: t('space.secondary') },
          ]}
          {...register('topicType')}
        />
      )}
      <Controller
        control={control}
        name="imageS3Url"
        render={({ field }) => (
          <PictureField
            label={t('picture')}
            isOptional
            value={field.value}
            error={errors.imageS3Url?.message}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}
