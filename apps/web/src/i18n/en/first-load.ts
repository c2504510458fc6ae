import { auth } from './auth';
import { shell } from './shell';

/** What the pages before the log-in show; the rest comes with the screens behind it. */
export const firstLoad = { shell, auth } as const;
