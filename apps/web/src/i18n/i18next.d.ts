import 'i18next';
import type { serverMessages } from '../generated/server-messages';
import type { english } from './en/catalogue';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof english & { errors: typeof serverMessages };
  }
}
