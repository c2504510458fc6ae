import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CommandRunner } from './command-runner.js';

@Global()
@Module({ imports: [CqrsModule.forRoot()], providers: [CommandRunner], exports: [CommandRunner] })
export class CommandModule {}
