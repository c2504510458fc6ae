import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { VotePatternRowFragment } from '../../../generated/graphql';
import { wholeNumber } from '../../../lib/format';

const colors = { NEW: 'red.8', SEEN: 'gray', WATCHED: 'blue', HARMLESS: 'green.9' } as const;

/** Triage state, and whether the pattern has grown since. */
export function PatternBadges({ pattern: { state, hasGrown } }: { pattern: VotePatternRowFragment }) {
  const { t } = useTranslation('patterns');
  return (
    <>
      <Badge variant={state === 'NEW' ? 'filled' : 'default'} color={colors[state]}>
        {t(`triage.state.${state}`)}
      </Badge>
      {hasGrown && (
        <Badge variant="outline" color="red.9">
          {t('triage.grown')}
        </Badge>
      )}
    </>
  );
}

const MAX_POWER_SPELLED_OUT = 6;

/** The "1,250" of "1 in 1,250"; a power of ten above a million. */
export function oneIn(chanceLog10: number, language: string): string {
  if (!Number.isFinite(chanceLog10)) return '10³⁰⁰';
  if (-chanceLog10 <= MAX_POWER_SPELLED_OUT) return wholeNumber(Math.round(10 ** -chanceLog10), language);
  const power = String(Math.floor(-chanceLog10));
  return `10${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] ?? '').join('')}`;
}

/** Formats an expected number with at most one decimal place, or with one digit if it is smaller: never 0, which would claim certainty. */
export const decimal = (value: number, language: string): string => {
  const digits = value > 0 && value < 0.05 ? { maximumSignificantDigits: 1 } : { maximumFractionDigits: 1 };
  return new Intl.NumberFormat(language, digits).format(value > 0 ? Math.max(0.001, value) : value);
};
