import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cspNonce } from '../lib/csp';
import { cssVariables, theme } from '../theme/theme';

interface ProvidersProps {
  children: ReactNode;
  /** `test` does without transitions, which a document without layout cannot finish. */
  env?: 'default' | 'test';
}

/** What every screen needs. The GraphQL client and the toasts come with the data layer, after the login page. */
export function Providers({ children, env = 'default' }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
      env={env}
    >
      {children}
    </MantineProvider>
  );
}
