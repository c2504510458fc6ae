import { Args, Field, ID, Int, ObjectType, Query, registerEnumType, Resolver } from '@nestjs/graphql';
import { DomainError } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { SECURITY_KINDS, type SecurityKind, SecurityLog } from '../../platform/security-log/security-log.js';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { parsePage, PaginateOptions } from '../../platform/graphql/page.js';
import { Confidential } from '../../platform/traces/traces.js';
import { Accounts } from '../accounts/accounts.js';

const SecurityKindEnum = Object.fromEntries(SECURITY_KINDS.map((kind) => [kind, kind]));
registerEnumType(SecurityKindEnum, {
  name: 'SecurityKind',
  description: 'Type of a security log entry.',
});

@ObjectType()
class SecurityLogEntry {
  @Field(() => ID) readonly _id!: string;
  @Field(() => SecurityKindEnum) readonly kind!: SecurityKind;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, { nullable: true }) readonly browser!: string | null;
  @Field(() => String, { nullable: true }) readonly system!: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'The network, never the full address: an IPv4 /24 such as `192.0.2.0/24`, or an IPv6 /48. Null for actions by others.',
  })
  readonly network!: string | null;
}

@ObjectType()
class SecurityLogPage {
  @Field(() => [SecurityLogEntry]) readonly docs!: readonly SecurityLogEntry[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

const PAGE_SIZE = 20;
const PAGE = { type: () => PaginateOptions, nullable: true } as const;

/** Users see their own log. Maintainers also see those of accounts with a role. */
@Resolver()
export class SecurityLogResolver {
  constructor(
    private readonly log: SecurityLog,
    private readonly accounts: Accounts,
  ) {}

  @SignedIn()
  @Query(() => SecurityLogPage, {
    description: "Logins and security changes of the caller's account, newest first.",
  })
  getSecurityLog(
    @CurrentViewer() { studentId }: Viewer,
    @Args('paginateOptions', PAGE) options?: PaginateOptions | null,
  ): Promise<SecurityLogPage> {
    return this.log.page(studentId, parsePage(options ?? {}, PAGE_SIZE));
  }

  @HasRole('MAINTAINER')
  @Confidential<{ studentId: string }, SecurityLogPage>(
    'SECURITY_LOG',
    ({ args: { studentId }, viewer, result: { docs } }) =>
      studentId.toLowerCase() === viewer.studentId ? null : { studentIds: [studentId], rows: docs.length },
  )
  @Query(() => SecurityLogPage, {
    description:
      'The security log of an account that holds a role. Any other log is visible to its owner only.',
  })
  async getStaffSecurityLog(
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('paginateOptions', PAGE) options?: PaginateOptions | null,
  ): Promise<SecurityLogPage> {
    const page = parsePage(options ?? {}, PAGE_SIZE);
    const student = await this.accounts.findById(studentId);
    if (!student) throw new DomainError('STUDENT_NOT_FOUND');
    if (student.roles.length === 0) throw new DomainError('FORBIDDEN');
    return this.log.page(studentId, page);
  }
}
