import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { closeLabels, cssVariables, theme } from '../theme/theme';

const placeholder = '__CSP_NONCE__';

/** The nonce that the api wrote into this response; empty where nobody replaced it (the development server). */
export function cspNonce(): string {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
  return content === placeholder ? '' : content;
}

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
