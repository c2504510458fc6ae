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

// Before the first paint, so that the language does not change visibly. No top-level await: the bundler would then
// stop merging chunks, at the cost of one file per lazy import.
void restoreLanguage().then(() => {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <ErrorBoundary>
          {/* No transitions: the next key or click would start from the previous URL. */}
          <BrowserRouter useTransitions={false}>
            <AppRoutes />
          </BrowserRouter>
        </ErrorBoundary>
      </Providers>
    </StrictMode>,
  );
});
