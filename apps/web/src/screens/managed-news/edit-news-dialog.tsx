import { useMutation } from '@apollo/client/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { TextInput } from '@mantine/core';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { RichTextField } from '../../features/editor/rich-text-field';
import { FormDialog } from '../../features/managed-content/form-dialog';
import { saving } from '../../features/managed-content/use-saving';
import { plainText } from '../../features/questions/truncate';
import { UpdateNewsDocument, type ManagedNewsQuery } from '../../generated/graphql';

export type ManagedPost = ManagedNewsQuery['getManagedNews']['docs'][number];

function useNewsSchema() {
  const { t } = useTranslation('content');
  return z.object({
    title: z.string().check(z.trim(), z.minLength(1, t('missing.title'))),
    body: z.string().check(z.refine((html) => plainText(html) !== '', t('missing.text'))),
  });
}
type NewsValues = z.infer<ReturnType<typeof useNewsSchema>>;

interface EditNewsDialogProps {
  post: ManagedPost;
  onSaved: (act: number | null) => void;
  onClose: () => void;
}

export function EditNewsDialog({ post, onSaved, onClose }: EditNewsDialogProps) {
  const { t } = useTranslation('content');
  const [update] = useMutation(UpdateNewsDocument);
  const { register, control, handleSubmit, setError, formState } = useForm<NewsValues>({
    resolver: zodResolver(useNewsSchema()),
    defaultValues: { title: post.title, body: post.body },
  });
  const { errors } = formState;
  const send = async (values: NewsValues) => {
    const { data } = await update({ variables: { id: post._id, ...values } });
    onSaved(data?.updateNewspost?.act ?? null);
  };
  return (
    <FormDialog
      title={t('news.edit', { title: post.title })}
      error={errors.root?.message}
      isSaving={formState.isSubmitting}
      size="56rem"
      onClose={onClose}
      onSubmit={handleSubmit((values) => saving(() => send(values), setError, ['title', 'body']))}
    >
      <TextInput
        label={t('news.titleField')}
        withAsterisk
        data-autofocus
        error={errors.title?.message}
        {...register('title')}
      />
      <Controller
        control={control}
        name="body"
        render={({ field }) => (
          <RichTextField
            label={t('news.text')}
            placeholder={t('news.text')}
            initialHtml={post.body}
            error={errors.body?.message}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}
