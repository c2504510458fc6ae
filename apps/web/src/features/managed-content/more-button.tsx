import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface MoreButtonProps {
  isLoading: boolean;
  onMore: () => void;
}

/** The way to the next page of a list that nobody counts. */
export function MoreButton({ isLoading, onMore }: MoreButtonProps) {
  const { t } = useTranslation('content');
  return (
    <Group justify="center" mt="md">
      <Button variant="default" loading={isLoading} onClick={onMore}>
        {t('more')}
      </Button>
    </Group>
  );
}
