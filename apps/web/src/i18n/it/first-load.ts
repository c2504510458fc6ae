import { account } from './account';
import { auth } from './auth';
import { errors } from './errors';
import { shell } from './shell';

export const firstLoad = { shell, account, auth, errors } as const;
