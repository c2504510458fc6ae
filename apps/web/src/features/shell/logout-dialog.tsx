import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { meantLogout } from '../../lib/meant-logout';
import { ConfirmDialog } from '../../components/confirm-dialog';

export function LogoutDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('frame');
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened={opened}
      title={t('logout.title')}
      text={t('logout.text')}
      confirmLabel={t('logout.confirm')}
      onClose={onClose}
      onConfirm={() => void navigate(paths.logout, meantLogout)}
    />
  );
}
