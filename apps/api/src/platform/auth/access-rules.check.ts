import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { RESOLVER_NAME_METADATA, RESOLVER_TYPE_METADATA } from '@nestjs/graphql';
import { ACCESS_RULE, type AccessRule, TRACE_RULE, type TraceRule } from './access.js';

const ROOT_TYPES = new Set(['Query', 'Mutation', 'Subscription']);
const HTTP_PATH = 'path';

export interface Operation {
  readonly name: string;
  readonly rule: AccessRule | undefined;
  readonly trace: TraceRule | undefined;
  /** A field of a root type, or the path of a route. */
  readonly at: { readonly type: 'Query' | 'Mutation' | 'Subscription' | 'HTTP'; readonly name: string };
}

/** Prevents the start when an operation has no access rule. */
@Injectable()
export class AccessRulesCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const missing = [...this.operations()].filter(({ rule }) => !rule).map(({ name }) => name);
    if (missing.length > 0) throw new Error(`Operations without an access rule: ${missing.join(', ')}`);
  }

  /** Every GraphQL operation and HTTP route with its access rule. */
  *operations(): Generator<Operation> {
    for (const { instance } of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      if (typeof instance !== 'object' || instance === null) continue;
      const prototype = Object.getPrototypeOf(instance) as Record<string, object>;
      for (const method of this.scanner.getAllMethodNames(prototype)) {
        const handler = prototype[method];
        if (typeof handler !== 'function' || !isOperation(handler)) continue;
        yield {
          name: `${(instance as object).constructor.name}.${method}`,
          rule: Reflect.getMetadata(ACCESS_RULE, handler) as AccessRule | undefined,
          trace: Reflect.getMetadata(TRACE_RULE, handler) as TraceRule | undefined,
          at: locationOf((instance as object).constructor, method, handler),
        };
      }
    }
  }
}

function isOperation(handler: object): boolean {
  const rootType: unknown = Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler);
  return ROOT_TYPES.has(String(rootType)) || Reflect.hasMetadata(HTTP_PATH, handler);
}

function locationOf(owner: object, method: string, handler: object): Operation['at'] {
  const rootType: unknown = Reflect.getMetadata(RESOLVER_TYPE_METADATA, handler);
  if (ROOT_TYPES.has(String(rootType))) {
    const named: unknown = Reflect.getMetadata(RESOLVER_NAME_METADATA, handler);
    return { type: rootType as Operation['at']['type'], name: typeof named === 'string' ? named : method };
  }
  const parts = [Reflect.getMetadata(HTTP_PATH, owner), Reflect.getMetadata(HTTP_PATH, handler)];
  return { type: 'HTTP', name: `/${parts.map(String).join('/')}`.replace(/\/+/g, '/') };
}
