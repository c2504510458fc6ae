import { requireBodySize } from '@nimo/domain';
import { sanitiseRichText } from '@nimo/projections';

/** A body as it is stored. Its size comes first: sanitising a megabyte takes a processor for seconds. */
export const acceptedBody = (html: string): string => sanitiseRichText(requireBodySize(html));
