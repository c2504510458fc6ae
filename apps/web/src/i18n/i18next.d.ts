import 'i18next';
import type { English } from '../generated/english';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: English;
  }
}
