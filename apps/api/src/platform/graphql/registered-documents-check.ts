import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { parse, specifiedRules, validate } from 'graphql';
import type { Logger } from '../logging/logger.js';
import { LOGGER } from '../runtime/tokens.js';
import { KnownDocuments } from './known-documents.js';
import { queryLimitsRule } from './query-limits.rule.js';

/** Tells the log which registered documents ask for what the schema no longer has: they are refused by name, and all others answered. */
@Injectable()
export class RegisteredDocumentsCheck implements OnApplicationBootstrap {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly schemas: GraphQLSchemaHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const [document, text] of Object.entries(this.documents.registered)) {
      const [error] = validate(this.schemas.schema, parse(text), [...specifiedRules, queryLimitsRule]);
      if (error)
        this.logger.warn(
          { document, reason: error.message },
          'a registered document does not fit the schema',
        );
    }
  }
}
