import 'i18next';
import type { english } from './en/catalogue';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: typeof english;
  }
}
