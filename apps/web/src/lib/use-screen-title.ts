import { useDocumentTitle } from '@mantine/hooks';

/** Names the screen in the browser's tab and for screen readers. */
export function useScreenTitle(title: string): void {
  useDocumentTitle(title === '' ? 'Nimo' : `${title} | Nimo`);
}
