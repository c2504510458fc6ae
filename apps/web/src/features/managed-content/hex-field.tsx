import { ColorInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface HexFieldProps {
  /** Hex without #. */
  value: string;
  error?: string | undefined;
  onChange: (hex: string) => void;
}

const swatches = ['#2563eb', '#0f766e', '#2f8f5b', '#ca8a04', '#c2410c', '#be123c', '#7c3aed', '#475569'];

/** A colour as it is stored: hex without #. */
export function HexField({ value, error, onChange }: HexFieldProps) {
  const { t } = useTranslation('content');
  return (
    <ColorInput
      label={t('color')}
      withAsterisk
      format="hex"
      swatches={swatches}
      value={`#${value}`}
      error={error}
      eyeDropperButtonProps={{ 'aria-label': t('pickColor') }}
      onChange={(next) => onChange(next.replace(/^#/, '').toLowerCase())}
    />
  );
}
