import type { SearchEngine } from '../search-engine.js';
import type { CarriedError } from './carried-error.js';

/** What the thread is asked; `warmUp` has nothing to say. */
export type Asked =
  | {
      readonly [K in keyof SearchEngine]: {
        readonly kind: K;
        readonly search: Parameters<SearchEngine[K]>[0];
      };
    }[keyof SearchEngine]
  | { readonly kind: 'warmUp' };

export type ToThread = (Asked & { readonly id: number }) | { readonly kind: 'close' };

export type FromThread = { readonly id: number } & (
  | { readonly found: unknown }
  | { readonly failure: CarriedError }
);

export interface ThreadConnection {
  readonly url: string;
  /** As pg_stat_activity shows it. */
  readonly name: string;
}
