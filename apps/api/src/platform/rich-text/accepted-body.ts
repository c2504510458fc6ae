import { requireBodySize } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';

const PICTURE = /<img src="([^"]+)"[^>]*>/g;

/**
 * Sanitises a body for storage. Checks the size first: sanitising a megabyte takes seconds of CPU time.
 *
 * @param pictures image URLs whose owner was checked; others are removed
 */
export const acceptedBody = (html: string, pictures: readonly string[] = []): string =>
  cleanHtml(requireBodySize(html)).replace(PICTURE, (picture, location: string) =>
    pictures.includes(location) ? picture : '',
  );
