import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { cspNonce } from '../lib/csp';
import { closeLabels, cssVariables, theme } from '../theme/theme';

interface ProvidersProps {
  children: ReactNode;
  /** `test` does without transitions, which a document without layout cannot finish. */
  env?: 'default' | 'test';
}

/** What every screen needs. The GraphQL client and the toasts come with the data layer, after the login page. */
export function Providers({ children, env = 'default' }: ProvidersProps) {
  const { t } = useTranslation('shell');
  const close = t('action.close');
  const spokenTheme = useMemo(() => mergeThemeOverrides(theme, closeLabels(close)), [close]);
  return (
    <MantineProvider
      theme={spokenTheme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
      env={env}
    >
      {children}
    </MantineProvider>
  );
}
