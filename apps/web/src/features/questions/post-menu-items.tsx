import { Menu } from '@mantine/core';
import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs';
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { useParticipation } from './participation';

interface PostMenuItemsProps {
  authorId: string;
  onEdit: () => void;
  onDelete: () => void;
  onReport: () => void;
}

/** Edit and Delete for the author, Report for everyone else. */
export function PostMenuItems({ authorId, onEdit, onDelete, onReport }: PostMenuItemsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'question' });
  const { studentId, act } = useParticipation();
  if (studentId !== authorId) {
    return (
      <Menu.Item leftSection={<IconFlag size={16} stroke={1.75} aria-hidden />} onClick={() => act(onReport)}>
        {t('report')}
      </Menu.Item>
    );
  }
  return (
    <>
      <Menu.Item leftSection={<IconEdit size={16} stroke={1.75} aria-hidden />} onClick={() => act(onEdit)}>
        {t('edit')}
      </Menu.Item>
      <Menu.Item
        color="var(--nimo-danger)"
        leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
        onClick={() => act(onDelete)}
      >
        {t('delete')}
      </Menu.Item>
    </>
  );
}
