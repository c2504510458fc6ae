import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { GqlExecutionContext } from '@nestjs/graphql';
import { type GraphQLResolveInfo, OperationTypeNode } from 'graphql';
import { ApiError } from '../errors/api-error.js';
import { type IdempotencyKey, requestContextOf } from '../auth/request-context.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { type Idempotency, type KeyOfStudent, requireKey } from './command-context.js';

interface UsedRow {
  readonly request: Buffer;
  readonly done_with_nothing: readonly string[];
}

interface Use {
  readonly key: Buffer;
  /** Commands that found nothing to do, which the log does not tell. */
  readonly doneWithNothing: ReadonlySet<string>;
}

/**
 * What each student's keys were used for: rows of `state.idempotency_keys`, keyed hashes that name nobody, swept after a week. Commits do not
 * wait for the disk: what a crash takes back is a refusal less, since what was said is part of the commands' ids as well.
 */
@Injectable()
export class IdempotencyKeys {
  /** Of the requests at hand, however many mutations each has. */
  private readonly uses = new WeakMap<IdempotencyKey, Promise<Use>>();

  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  /** @throws ApiError where the key is none, or was given for something else before */
  async require(key: KeyOfStudent): Promise<void> {
    await this.useOf(key);
  }

  /** Whether that command was answered before without doing anything: then a repeat does nothing either, whatever has happened since. */
  async isDoneWithNothing(idempotency: Idempotency): Promise<boolean> {
    return (await this.useOf(idempotency)).doneWithNothing.has(idempotency.commandId);
  }

  async doneWithNothing(idempotency: Idempotency): Promise<void> {
    const { key } = await this.useOf(idempotency);
    await this.pool.query({
      name: 'idempotency-key-nothing',
      text: `update state.idempotency_keys set done_with_nothing = array_append(done_with_nothing, $2) where key = $1
             returning set_config('synchronous_commit', 'off', true)`,
      values: [key, idempotency.commandId],
    });
  }

  private useOf(key: KeyOfStudent): Promise<Use> {
    const known = this.uses.get(key.given) ?? this.use(key);
    this.uses.set(key.given, known);
    return known;
  }

  private async use({ studentId, given }: KeyOfStudent): Promise<Use> {
    const key = this.hasher.hashSecret('idempotency key', studentId, requireKey(given));
    const before = await this.before(studentId, requireKey(given));
    if (before && before.request.toString('hex') !== given.request) throw reused();
    const { rows } = await this.pool.query<UsedRow>({
      name: 'idempotency-key-use',
      // Written where it is there, too: so that of two at once the later one sees what the earlier one said.
      text: `insert into state.idempotency_keys (key, request) values ($1, $2)
             on conflict (key) do update set used_at = now()
             returning request, done_with_nothing, set_config('synchronous_commit', 'off', true)`,
      values: [key, Buffer.from(given.request, 'hex')],
    });
    if (rows[0]?.request.toString('hex') === given.request)
      return {
        key,
        doneWithNothing: new Set([...rows[0].done_with_nothing, ...(before?.done_with_nothing ?? [])]),
      };
    throw reused();
  }

  /**
   * While the key of the hashes rotates: what is to be taken for the request, so that one that came before the change and comes again gives the
   * same commands, which are found done.
   */
  async requestOf(studentId: string, { key, request, formerRequest }: IdempotencyKey): Promise<string> {
    if (formerRequest === undefined) return request;
    const before = await this.before(studentId, key);
    return before?.request.toString('hex') === formerRequest ? formerRequest : request;
  }

  /** What the key was used for under the former key of the hashes. */
  private async before(studentId: string, key: string): Promise<UsedRow | undefined> {
    const former = this.hasher.formerSecret('idempotency key', studentId, key);
    if (!former) return undefined;
    const { rows } = await this.pool.query<UsedRow>({
      name: 'idempotency-key-before',
      text: 'select request, done_with_nothing from state.idempotency_keys where key = $1',
      values: [former],
    });
    return rows[0];
  }
}

const reused = (): ApiError =>
  new ApiError(
    'CONFLICT',
    'This Idempotency-Key was used for another request. Send a new key with a new request.',
    { field: 'Idempotency-Key', rule: 'IDEMPOTENCY_KEY_REUSED' },
  );

/** Refuses a key that was used for something else before any mutation, also where none of its work is a command. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly keys: IdempotencyKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { viewer, idempotencyKey: given } = requestContextOf(context);
    const { operation } = GqlExecutionContext.create(context).getInfo<GraphQLResolveInfo>();
    if (viewer && given && operation.operation === OperationTypeNode.MUTATION)
      await this.keys.require({ studentId: viewer.studentId, given });
    return true;
  }
}
