import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { drawFormulas, newFormula } from './formula-element';

interface FormulaProps {
  /** TeX. */
  source: string;
  isBlock: boolean;
}

/** One formula, drawn; its source until then, and where it is no TeX. */
export function Formula({ source, isBlock }: FormulaProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const holder = useRef<HTMLSpanElement>(null);
  const wrong = t('wrong');
  useLayoutEffect(() => {
    const element = newFormula(source, isBlock);
    holder.current?.replaceChildren(element);
    const stop = new AbortController();
    void drawFormulas([element], { wrong }, stop.signal);
    return () => stop.abort();
  }, [source, isBlock, wrong]);
  return <span ref={holder} />;
}
