import { useMutation } from '@apollo/client/react';
import { Button } from '@mantine/core';
import IconArchive from '@tabler/icons-react/dist/esm/icons/IconArchive.mjs';
import IconArchiveOff from '@tabler/icons-react/dist/esm/icons/IconArchiveOff.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../components/dialogs';
import { toast } from '../../../components/toast';
import {
  ArchiveSpaceDocument,
  type ManagedSpacePartsFragment,
  UnarchiveSpaceDocument,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';

interface ArchiveButtonProps {
  space: ManagedSpacePartsFragment;
  onActed: (act: number | null) => void;
}

/** Archives the space, or ends that, after confirmation. */
export function ArchiveButton({ space, onActed }: ArchiveButtonProps) {
  const { t } = useTranslation('content');
  const [isAsking, setAsking] = useState(false);
  const [archive, archiving] = useMutation(ArchiveSpaceDocument);
  const [unarchive, unarchiving] = useMutation(UnarchiveSpaceDocument);
  const { _id: id, name, isArchived } = space;
  const action = isArchived ? 'unarchive' : 'archive';
  const confirm = async () => {
    try {
      const saved = isArchived
        ? (await unarchive({ variables: { id } })).data?.unarchiveSpace
        : (await archive({ variables: { id } })).data?.archiveSpace;
      onActed(saved?.act ?? null);
    } catch (error) {
      toast.error(errorText(error));
    }
    setAsking(false);
  };
  const Icon = isArchived ? IconArchiveOff : IconArchive;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t(`space.${action}`)}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t(`space.${action}Title`, { name })}
        text={t(`space.${action}Text`)}
        confirmLabel={t(`space.${action}`)}
        pending={archiving.loading || unarchiving.loading}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
