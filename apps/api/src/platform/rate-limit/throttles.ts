import type { Pool } from 'pg';
import type { Redis } from 'ioredis';
import type { RateLimit } from './limits.js';
import type { ClaimHasher } from '../personal-data/key-uses.js';

interface Taken {
  /** With what was just taken; more than the most of the window where that was used up. */
  readonly used: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

/** The windows, in one place for all processes. */
export abstract class Throttles {
  /** Takes a portion, and begins a window where none is open. Those who ask at once are served one after the other. */
  abstract take(key: string, limit: Pick<RateLimit, 'most' | 'seconds' | 'portion'>): Promise<Taken>;
}

/**
 * Subjects are phones, addresses and ids: what is stored is their keyed hash, behind the name of the limit. While the key rotates, the window
 * under the former one is counted on: a new key gives nobody a fresh window.
 */
export class HashedThrottles extends Throttles {
  constructor(
    private readonly stored: Throttles,
    private readonly hasher: ClaimHasher,
  ) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const nameEnds = key.indexOf(':');
    const name = key.slice(0, nameEnds);
    const given = ['throttle', name, key.slice(nameEnds + 1)] as const;
    const former = this.hasher.formerSecret(...given);
    const taken = await this.takeOf(name, this.hasher.hashSecret(...given), limit);
    if (former === undefined) return taken;
    const before = await this.takeOf(name, former, limit);
    return { used: Math.max(taken.used, before.used), leftMs: Math.max(taken.leftMs, before.leftMs) };
  }

  private takeOf(name: string, subject: Buffer, limit: Parameters<Throttles['take']>[1]): Promise<Taken> {
    return this.stored.take(`${name}:${subject.toString('base64url')}`, limit);
  }
}

/**
 * Rows of `state.throttle`. Where uses are counted one by one, a commit waits for the disk. A portion does not: after a crash of the server it may be
 * given once more, as to another process, and a vote would otherwise wait for the disk twice.
 */
export class PostgresThrottles extends Throttles {
  constructor(private readonly pool: Pool) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const isPortion = limit.portion > 1;
    const { rows } = await this.pool.query<Taken>({
      name: isPortion ? 'throttle-take-portion' : 'throttle-take',
      text: `insert into state.throttle as t (key, window_ends, used) values ($1, now() + $2 * interval '1 second', $3)
             on conflict (key) do update set
               window_ends = case when t.window_ends <= now() then excluded.window_ends else t.window_ends end,
               used = case when t.window_ends <= now() then excluded.used else least(t.used, $4) + excluded.used end
             returning used, extract(epoch from window_ends - now())::float8 * 1000 as "leftMs"
             ${isPortion ? `, set_config('synchronous_commit', 'off', true)` : ''}`,
      values: [key, limit.seconds, limit.portion, limit.most],
    });
    const [row] = rows;
    if (!row) throw new Error('a throttle was neither made nor found');
    return row;
  }
}

/** One step for Redis, so that nobody takes in between. The window ends by the server's clock, and the key with it. */
const TAKE = `
  local used = math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[3])) + tonumber(ARGV[2])
  local left = redis.call('PTTL', KEYS[1])
  if left <= 0 then left = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], used, 'PX', left)
  return { used, left }
`;

interface WithScript {
  nimoTake(key: string, windowMs: number, portion: number, most: number): Promise<[number, number]>;
}

/**
 * Keys of Redis. Where it does not answer, the windows in the database are used: they begin anew, so that for the time being at most twice
 * as much is allowed, and nobody waits or goes unlimited.
 */
export class RedisThrottles extends Throttles {
  constructor(
    private readonly redis: Redis,
    private readonly fallback: Throttles,
  ) {
    super();
    redis.defineCommand('nimoTake', { numberOfKeys: 1, lua: TAKE });
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const { most, seconds, portion } = limit;
    try {
      const [used, leftMs] = await (this.redis as Redis & WithScript).nimoTake(
        `nimo:throttle:${key}`,
        seconds * 1000,
        portion,
        most,
      );
      return { used, leftMs };
    } catch {
      return this.fallback.take(key, limit);
    }
  }
}
