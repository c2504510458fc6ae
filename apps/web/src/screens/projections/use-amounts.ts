import { useTranslation } from 'react-i18next';
import { wholeNumber } from '../../lib/format';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Numbers and spans as the language writes them. */
export function useAmounts() {
  const { t, i18n } = useTranslation('projections');
  const { language } = i18n;
  const unit = (value: number, of: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: of, maximumFractionDigits: 0 }).format(value);
  const span = (ms: number) => {
    if (ms < second) return unit(Math.round(ms), 'millisecond');
    if (ms < minute) return unit(Math.ceil(ms / second), 'second');
    return ms < hour ? unit(Math.ceil(ms / minute), 'minute') : unit(Math.ceil(ms / hour), 'hour');
  };
  return {
    whole: (value: number) => wholeNumber(value, language),
    span,
    rate: (value: number) => {
      const count = Math.round(value);
      return t('perSecond', { count, rate: wholeNumber(count, language) });
    },
    megabytes: (bytes: number) =>
      new Intl.NumberFormat(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(
        bytes / 1e6,
      ),
  };
}
