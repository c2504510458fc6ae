import { useTranslation } from 'react-i18next';
import type { Span } from './spans';

/** A day as `21 Nov`, several as `16 – 21 Nov`. */
export function useSpanLabel(): (span: Span) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return ({ from, to }) =>
    from === to ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(to));
}
