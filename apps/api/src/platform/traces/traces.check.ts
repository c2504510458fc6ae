import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccessRulesCheck, type Operation } from '../auth/access-rules.check.js';

/** Prevents the start when a staff read neither leaves an audit trace nor declares why not. Staff actions are events anyway. */
@Injectable()
export class TracesCheck implements OnModuleInit {
  constructor(private readonly access: AccessRulesCheck) {}

  onModuleInit(): void {
    const missing = [...this.access.operations()].filter(needsTraceRule).map(({ name }) => name);
    if (missing.length > 0) throw new Error(`Reads by staff without a trace: ${missing.join(', ')}`);
  }
}

const needsTraceRule = ({ rule, trace, at }: Operation): boolean =>
  rule?.kind === 'role' && at.type !== 'Mutation' && trace === undefined;
