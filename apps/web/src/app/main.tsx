import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/inter/wght-italic.css';
import '@mantine/core/styles.css';
import '../theme/theme.css';
import '../theme/narrow.css';
import './served-page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { ErrorBoundary } from '../components/error-boundary';
import { restoreLanguage } from '../i18n/i18n';
import { cspNonce, Providers } from './providers';
import { keepServedPage } from './served-page';
import { AppRoutes } from './routes';

// The kit's scroll lock writes a style element and takes its nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: cspNonce() });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

keepServedPage(root);

// Before the first paint, so that nobody sees the page change its language. A top-level await would cost a file for each lazy import: the
// bundler leaves chunks as they are where there is one.
void restoreLanguage().then(() => {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <ErrorBoundary>
          {/* The address counts at once: in a transition, the next letter or click would start from the one before. */}
          <BrowserRouter useTransitions={false}>
            <AppRoutes />
          </BrowserRouter>
        </ErrorBoundary>
      </Providers>
    </StrictMode>,
  );
});
