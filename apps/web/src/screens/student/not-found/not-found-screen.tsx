import { Button, Center } from '@mantine/core';
import IconCompass from '@tabler/icons-react/dist/esm/icons/IconCompass.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { useScreenTitle } from '../../../lib/browser/announce';

export default function NotFoundScreen() {
  const { t } = useTranslation('notFound');
  useScreenTitle(t('title'));
  return (
    <Center component="main" mih="100dvh" p="lg">
      <EmptyState
        icon={IconCompass}
        titleOrder={1}
        title={t('heading')}
        text={t('text')}
        action={
          <Button component={Link} to={paths.spaces}>
            {t('toSpaces')}
          </Button>
        }
      />
    </Center>
  );
}
