import { account } from './account';
import { auth } from './auth';
import { firstErrors } from './first-errors';
import { shell } from './shell';

export const firstLoad = { shell, account, auth, errors: firstErrors } as const;
