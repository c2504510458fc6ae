import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { ACCESS_RULE, type AccessRule } from './access.js';

const ROOT_TYPES = new Set(['Query', 'Mutation', 'Subscription']);
const HTTP_PATH = 'path';

/** Refuses the start when an operation says nothing about who may call it. */
@Injectable()
export class AccessRulesCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const without = [...this.operations()].filter(({ rule }) => !rule).map(({ name }) => name);
    if (without.length > 0) throw new Error(`Operations without an access rule: ${without.join(', ')}`);
  }

  /** Every GraphQL operation and HTTP route with its rule. */
  *operations(): Generator<{ readonly name: string; readonly rule: AccessRule | undefined }> {
    for (const { instance } of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (typeof handler !== 'function' || !isOperation(handler)) continue;
        yield {
          name: `${(instance as object).constructor.name}.${method}`,
          rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined,
        };
      }
    }
  }
}

function isOperation(handler: object): boolean {
  const rootType: unknown = Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler);
  return ROOT_TYPES.has(String(rootType)) || Reflect.hasMetadata(HTTP_PATH, handler);
}
