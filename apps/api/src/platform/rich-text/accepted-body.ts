import { requireBodySize } from '@nimo/domain';
import { cleanHtml } from '@nimo/rich-text';

const PICTURE = /<img src="([^"]+)"[^>]*>/g;

/**
 * A body as it is stored. Its size comes first: sanitising a megabyte takes a processor for seconds.
 *
 * @param pictures locations that may stand in it, of which somebody has asked whose they are; others are left out
 */
export const acceptedBody = (html: string, pictures: readonly string[] = []): string =>
  cleanHtml(requireBodySize(html)).replace(PICTURE, (picture, location: string) =>
    pictures.includes(location) ? picture : '',
  );
