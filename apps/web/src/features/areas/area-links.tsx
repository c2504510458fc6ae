import { Menu } from '@mantine/core';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs';
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../lib/paths';
import type { Area } from './own-areas';

const icons = { moderation: IconShieldCheck, audit: IconHistory, maintenance: IconTool } as const;

/** Links to the staff areas in the user menu. */
export default function AreaLinks({ areas }: { areas: readonly Area[] }) {
  const { t } = useTranslation('areas');
  return areas.map((area) => {
    const AreaIcon = icons[area];
    return (
      <Menu.Item
        key={area}
        component={Link}
        to={paths[area]}
        leftSection={<AreaIcon size={18} stroke={1.75} />}
      >
        {t(area)}
      </Menu.Item>
    );
  });
}
