import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { closeLabels, cssVariables, theme } from '../theme/theme';

const placeholder = '__CSP_NONCE__';

/** CSP nonce of this response; empty on the development server. */
export function cspNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  return content === placeholder ? '' : content;
}

interface ProvidersProps {
  children: ReactNode;
  /** `test` disables transitions, which never finish without layout. */
  env?: 'default' | 'test';
}

/** Providers for every screen. The data layer adds the GraphQL client and toasts after login. */
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
