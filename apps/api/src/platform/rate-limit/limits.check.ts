import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { LIMIT, type LimitRule } from './limited.js';

/** Refuses the start when a mutation does not say how often somebody may call it. */
@Injectable()
export class LimitsCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const without = [...this.mutations()].filter(({ rule }) => !rule).map(({ name }) => name);
    if (without.length > 0) throw new Error(`Mutations without a limit: ${without.join(', ')}`);
  }

  *mutations(): Generator<{ readonly name: string; readonly rule: LimitRule | undefined }> {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (typeof handler !== 'function') continue;
        if (Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler) !== 'Mutation') continue;
        yield {
          name: `${(instance as object).constructor.name}.${method}`,
          rule: Reflect.getMetadata(LIMIT, handler) as LimitRule | undefined,
        };
      }
    }
  }
}
