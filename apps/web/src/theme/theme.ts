import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { timings } from '../lib/timings';

const accent: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6fd',
  '#bfcdf9',
  '#9db2f5',
  '#7a94ee',
  '#5d7ae5',
  '#4460d3',
  '#374fb5',
  '#2d4193',
  '#222f6b',
];
const night: MantineColorsTuple = [
  '#e4e8f2',
  '#c5ccdc',
  '#a4adc2',
  '#7d879f',
  '#3a435a',
  '#2c3448',
  '#1e2536',
  '#151a28',
  '#10141f',
  '#0b0e17',
];

const transition = { duration: timings.transition, timingFunction: 'cubic-bezier(0.2, 0, 0, 1)' } as const;
// The list itself scrolls: Mantine's scroll area around it is not reachable by keyboard.
const scrollingList = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const;

const combobox = { role: 'combobox', withExpandedAttribute: true } as const;

/** Mantine theme; colours of our own components are in `theme.css`. */
export const theme = createTheme({
  colors: { accent, dark: night },
  primaryColor: 'accent',
  // One shade for both schemes: white text on it has a contrast of 5:1.
  primaryShade: 6,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.55', lg: '1.6', xl: '1.6' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '0.25rem', sm: '0.375rem', md: '0.5rem', lg: '0.75rem', xl: '1rem' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        transitionProps: { transition: 'pop', ...transition },
        overlayProps: { backgroundOpacity: 0.5 },
        // `useFocusReturn` does this: without transitions, Mantine mistakes the dialog for the opener.
        returnFocus: false,
      },
    },
    // A dialog's header is not a page banner.
    ModalHeader: { defaultProps: { component: 'div' } },
    Menu: {
      defaultProps: {
        transitionProps: { transition: 'pop-top-right', ...transition },
        shadow: 'md',
        // A menu may only contain menu items, so the first one takes the focus.
        withInitialFocusPlaceholder: false,
        // Menu items open dialogs, and a late focus return would pull the focus out of them. Escape still returns it.
        returnFocus: false,
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, transitionProps: { transition: 'fade', ...transition } } },
    Button: { defaultProps: { fw: 600 } },
    // Mantine gives the input no combobox role, and does not expose whether the list is open.
    ComboboxTarget: { defaultProps: combobox },
    ComboboxEventsTarget: { defaultProps: combobox },
    Select: scrollingList,
    MultiSelect: scrollingList,
    Autocomplete: scrollingList,
    // With the default radius, a box this small would look like a radio button.
    Checkbox: { defaultProps: { radius: 'xs' } },
    // Not every form focuses the invalid field.
    InputError: { defaultProps: { role: 'alert' } },
    Loader: { defaultProps: { type: 'dots' } },
  },
});

/** Overrides of Mantine variables whose defaults miss WCAG contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    // Small text on a tinted badge, also on a tinted row.
    '--mantine-color-gray-light-color': 'var(--mantine-color-gray-7)',
    '--mantine-color-accent-light-color': 'var(--mantine-color-accent-8)',
    '--mantine-color-text': '#1a2033',
    '--mantine-color-dimmed': '#596178',
    '--mantine-color-placeholder': '#6a7186',
    '--mantine-color-error': '#c02626',
    '--mantine-color-default-border': '#d9dee8',
    '--mantine-color-green-light-color': '#146c3a',
    '--mantine-color-red-light-color': '#c02626',
    '--mantine-color-red-outline': '#c02626',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-yellow-light-color': '#855700',
  },
  dark: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-text': '#e4e8f2',
    '--mantine-color-dimmed': '#a4adc2',
    '--mantine-color-placeholder': '#8e98b0',
    '--mantine-color-error': '#ff8f8f',
    '--mantine-color-anchor': '#9db2f5',
    '--mantine-color-default-border': '#343d53',
  },
});

/** Labels Mantine's close buttons. */
export function closeLabels(label: string): MantineThemeOverride {
  const defaultProps = { closeButtonProps: { 'aria-label': label } };
  return { components: { Modal: { defaultProps }, Notification: { defaultProps } } };
}
