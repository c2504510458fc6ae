import { useMutation } from '@apollo/client/react';
import { Button, List, Text, TextInput } from '@mantine/core';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { FormDialog, saving } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import { DeleteSpaceDocument, type ManagedSpacePartsFragment } from '../../../generated/graphql';
import { paths } from '../../../lib/paths';

interface DeleteButtonProps {
  space: ManagedSpacePartsFragment;
}

/** Deletes an archived space for good, once its name is typed in. */
export function DeleteButton({ space }: DeleteButtonProps) {
  const { t } = useTranslation('content');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('space.delete')}
      </Button>
      {isAsking && <DeleteDialog space={space} onClose={() => setAsking(false)} />}
    </>
  );
}

function DeleteDialog({ space: { _id: id, name }, onClose }: DeleteButtonProps & { onClose: () => void }) {
  const { t } = useTranslation('content');
  const navigate = useNavigate();
  const [deleteSpace] = useMutation(DeleteSpaceDocument);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: '' } });
  const send = async (typed: { name: string }) => {
    await deleteSpace({ variables: { id, name: typed.name } });
    toast.success(t('space.deleted', { name }));
    void navigate(paths.managedSpaces, { replace: true });
  };
  return (
    <FormDialog
      title={t('space.deleteTitle', { name })}
      submitLabel={t('space.deleteForGood')}
      danger
      onClose={onClose}
      onSubmit={handleSubmit((typed) => saving(() => send(typed), setError, ['name']))}
    >
      <Text>{t('space.deleteText')}</Text>
      <List size="sm" spacing="xs">
        <List.Item>{t('space.deleteContent')}</List.Item>
        <List.Item>{t('space.deleteWords')}</List.Item>
        <List.Item>{t('space.deleteAudit')}</List.Item>
      </List>
      <TextInput
        label={t('space.deleteName', { name })}
        withAsterisk
        autoComplete="off"
        data-autofocus
        error={formState.errors.name?.message}
        {...register('name')}
      />
    </FormDialog>
  );
}
