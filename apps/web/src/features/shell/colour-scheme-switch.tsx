import { ActionIcon, Menu, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
import { useTranslation } from 'react-i18next';

function useColourSchemes() {
  const { t } = useTranslation('frame');
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return {
    isDark,
    label: t(isDark ? 'colourScheme.toLight' : 'colourScheme.toDark'),
    change: () => setColorScheme(isDark ? 'light' : 'dark'),
  };
}

/** The same in a menu, where a header is too narrow for it. */
export function ColourSchemeItem() {
  const { isDark, label, change } = useColourSchemes();
  const SchemeIcon = isDark ? IconSun : IconMoon;
  return (
    <Menu.Item leftSection={<SchemeIcon size={18} stroke={1.75} />} onClick={change}>
      {label}
    </Menu.Item>
  );
}

/** Follows the system until it is used; the choice is remembered. */
export function ColourSchemeSwitch() {
  const { isDark, label, change } = useColourSchemes();
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" c="dimmed" size="lg" aria-label={label} onClick={change}>
        {isDark ? <IconSun size={20} stroke={1.75} /> : <IconMoon size={20} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  );
}
