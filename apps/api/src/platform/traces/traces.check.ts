import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessRulesCheck, type Operation } from '../auth/access-rules.check.js';

/** Refuses the start when a read by staff says neither that it leaves a trace nor why it needs none. Their acts are events anyway. */
@Injectable()
export class TracesCheck implements OnModuleInit {
  constructor(private readonly access: AccessRulesCheck) {}

  onModuleInit(): void {
    const without = [...this.access.operations()].filter(needsTraceRule).map(({ name }) => name);
    if (without.length > 0) throw new Error(`Reads by staff without a trace: ${without.join(', ')}`);
  }
}

const needsTraceRule = ({ rule, trace, at }: Operation): boolean =>
  rule?.kind === 'role' && at.type !== 'Mutation' && trace === undefined;
