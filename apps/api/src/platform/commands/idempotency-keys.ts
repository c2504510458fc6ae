import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { GqlExecutionContext } from '@nestjs/graphql';
import { type GraphQLResolveInfo, OperationTypeNode } from 'graphql';
import { ApiError } from '../errors/api-error.js';
import { type IdempotencyKey, requestContextOf } from '../auth/request-context.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { type Idempotency, type StudentIdempotencyKey, requireKey } from './command-context.js';

interface UsedRow {
  readonly request: Buffer;
  readonly done_with_nothing: readonly string[];
}

interface Use {
  readonly keyHash: Buffer;
  /** Commands that had nothing to do and so left no event. */
  readonly noOpCommandIds: ReadonlySet<string>;
}

/**
 * Requests made under each student's keys: rows of `state.idempotency_keys`, stored as keyed hashes and swept after a week. Commits are
 * asynchronous: a crash can only lose a rejection, since command ids include the request hash too.
 */
@Injectable()
export class IdempotencyKeys {
  /** Uses by requests in flight, one for all mutations of a request. */
  private readonly uses = new WeakMap<IdempotencyKey, Promise<Use>>();

  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
  ) {}

  /** @throws ApiError when the key is invalid or was used for another request */
  async require(key: StudentIdempotencyKey): Promise<void> {
    await this.useOf(key);
  }

  /** Whether the command had nothing to do before: then a repeat does nothing either, whatever has happened since. */
  async isRecordedNoOp(idempotency: Idempotency): Promise<boolean> {
    return (await this.useOf(idempotency)).noOpCommandIds.has(idempotency.commandId);
  }

  async recordNoOp(idempotency: Idempotency): Promise<void> {
    const { keyHash } = await this.useOf(idempotency);
    await this.pool.query({
      name: 'idempotency-key-nothing',
      text: `update state.idempotency_keys set done_with_nothing = array_append(done_with_nothing, $2) where key = $1
             returning set_config('synchronous_commit', 'off', true)`,
      values: [keyHash, idempotency.commandId],
    });
  }

  private useOf(key: StudentIdempotencyKey): Promise<Use> {
    const existing = this.uses.get(key.key) ?? this.use(key);
    this.uses.set(key.key, existing);
    return existing;
  }

  private async use({ studentId, key }: StudentIdempotencyKey): Promise<Use> {
    const keyHash = this.hasher.hashSecret('idempotency key', studentId, requireKey(key));
    const previous = await this.findPrevious(studentId, requireKey(key));
    if (previous && previous.request.toString('hex') !== key.requestHash) throw reused();
    const { rows } = await this.pool.query<UsedRow>({
      name: 'idempotency-key-use',
      // Updates an existing row too, so that the later of two concurrent requests sees the earlier one's.
      text: `insert into state.idempotency_keys (key, request) values ($1, $2)
             on conflict (key) do update set used_at = now()
             returning request, done_with_nothing, set_config('synchronous_commit', 'off', true)`,
      values: [keyHash, Buffer.from(key.requestHash, 'hex')],
    });
    if (rows[0]?.request.toString('hex') === key.requestHash)
      return {
        keyHash,
        noOpCommandIds: new Set([...rows[0].done_with_nothing, ...(previous?.done_with_nothing ?? [])]),
      };
    throw reused();
  }

  /**
   * The request hash to use while the hash key rotates: a request first sent under the previous key keeps its command ids, so its repeats
   * are recognised.
   */
  async effectiveRequestHash(
    studentId: string,
    { key, requestHash, previousRequestHash }: IdempotencyKey,
  ): Promise<string> {
    if (previousRequestHash === undefined) return requestHash;
    const previous = await this.findPrevious(studentId, key);
    return previous?.request.toString('hex') === previousRequestHash ? previousRequestHash : requestHash;
  }

  /** The row stored under the previous hash key. */
  private async findPrevious(studentId: string, key: string): Promise<UsedRow | undefined> {
    const former = this.hasher.hashSecretWithPreviousKey('idempotency key', studentId, key);
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

/** Rejects a reused key before any mutation runs, including mutations that issue no command. */
@Injectable()
export class IdempotencyGuard implements CanActivate {
  constructor(private readonly keys: IdempotencyKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { viewer, idempotencyKey: key } = requestContextOf(context);
    const { operation } = GqlExecutionContext.create(context).getInfo<GraphQLResolveInfo>();
    if (viewer && key && operation.operation === OperationTypeNode.MUTATION)
      await this.keys.require({ studentId: viewer.studentId, key });
    return true;
  }
}
