import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

type Rest = readonly unknown[];

/** Nest's own lines in our log; what it tells while it starts is for debugging. */
export class NestLines implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  debug(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: Rest): void {
    this.write('debug', message, rest);
  }

  warn(message: unknown, ...rest: Rest): void {
    this.write('warn', message, rest);
  }

  error(message: unknown, ...rest: Rest): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: Rest): void {
    this.write('fatal', message, rest);
  }

  private write(level: 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: Rest): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger[level]({ err: message, context });
    else if (typeof message === 'object' && message !== null) this.logger[level]({ ...message, context });
    else this.logger[level]({ context }, String(message));
  }
}
