import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { cspNonce } from '../lib/csp';
import { cssVariables, theme } from '../theme/theme';

/** What every screen needs. The GraphQL client comes with the data layer, after the login page. */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={cspNonce}
    >
      {children}
    </MantineProvider>
  );
}
