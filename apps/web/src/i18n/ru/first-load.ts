import { auth } from './auth';
import { firstErrors } from './first-errors';
import { shell } from './shell';

export const firstLoad = { shell, auth, errors: firstErrors } as const;
