import 'i18next';
import type { serverMessages } from '../generated/server-messages';
import type { english } from './en/catalogue';
import type { staffEnglish } from './en/staff-catalogue';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof english & typeof staffEnglish & { errors: typeof serverMessages };
  }
}
