import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Mutation, Query, Resolver } from '@nestjs/graphql';
import { IdempotencyKeys } from '../commands/idempotency-keys.js';
import { Limited, LimitsCheck } from './limited.js';
import { RateLimiter } from './rate-limiter.js';

@Resolver()
class LimitedResolver {
  @Query(() => Boolean)
  look(): boolean {
    return true;
  }

  @Limited('changes')
  @Mutation(() => Boolean)
  change(): boolean {
    return true;
  }
}

@Resolver()
class ForgetfulResolver {
  @Mutation(() => Boolean)
  changeWithoutEnd(): boolean {
    return true;
  }
}

@Module({})
class Root {}

const started = async (resolvers: readonly (new () => object)[]): Promise<LimitsCheck> => {
  const unused = [RateLimiter, IdempotencyKeys].map((provide) => ({ provide, useValue: {} }));
  const root = {
    module: Root,
    imports: [DiscoveryModule],
    providers: [LimitsCheck, ...unused, ...resolvers],
  };
  const context = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return context.get(LimitsCheck);
};

describe('the start of the API', () => {
  it('fails when a mutation has no limit', async () => {
    await expect(started([LimitedResolver, ForgetfulResolver])).rejects.toThrow(
      'Mutations without a limit: ForgetfulResolver.changeWithoutEnd',
    );
  });

  it('succeeds when every mutation has one; queries need none', async () => {
    const check = await started([LimitedResolver]);
    expect([...check.mutations()]).toEqual([{ name: 'LimitedResolver.change', rule: { limit: 'changes' } }]);
  });
});
