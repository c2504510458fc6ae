import { useMediaQuery } from '@mantine/hooks';

/** Whether a finger is what points here, most likely without a keyboard. */
export const useIsTouched = (): boolean =>
  useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
