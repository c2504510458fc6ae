import { useDocumentTitle } from '@mantine/hooks';

/** Behind the title of every screen. */
export const TITLE_END = ' | Nimo';

/** Names the screen in the browser's tab and for screen readers. */
export function useScreenTitle(title: string): void {
  useDocumentTitle(title === '' ? 'Nimo' : `${title}${TITLE_END}`);
}
