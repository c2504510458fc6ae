import { Anchor } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';

/** Link to an earlier state of a page. */
export default function AsOfLink({ to }: { to: string }) {
  const { t } = useTranslation('areas');
  return (
    <Anchor component={Link} to={to} display="inline-flex" style={{ alignItems: 'center', gap: 6 }}>
      <IconHistory size={16} stroke={1.75} aria-hidden />
      {t('sections.asOf')}
    </Anchor>
  );
}
