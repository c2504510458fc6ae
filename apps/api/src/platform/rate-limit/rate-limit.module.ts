import { Global, Module } from '@nestjs/common';
import { LoginThrottle } from './login-throttle.js';
import { RateLimiter } from './rate-limiter.js';

@Global()
@Module({ providers: [RateLimiter, LoginThrottle], exports: [RateLimiter, LoginThrottle] })
export class RateLimitModule {}
