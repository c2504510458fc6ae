import { auth } from './auth';
import { errors } from './errors';
import { shell } from './shell';

export const firstLoad = { shell, auth, errors } as const;
