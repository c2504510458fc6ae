import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { SettingsError } from '../config/settings-error.js';
import type { Logger } from '../logging/logger.js';
import { canServe, type HealthReport } from './health.js';
import type { Metrics } from './metrics.js';

export interface OperationsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Name of the setting that holds the port, for errors. */
  readonly setting: string;
  readonly metrics: Metrics;
  readonly health: HealthReport;
  readonly logger: Logger;
}

const TIMEOUTS = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;
const JSON_TYPE = 'application/json; charset=utf-8';

/** HTTP server for metrics and health checks. Read-only; restrict access by network. */
export class OperationsServer {
  private readonly server: Server;

  private constructor(private readonly options: OperationsServerOptions) {
    this.server = createServer(TIMEOUTS, (request, response) => {
      this.answer(request, response).catch((err: unknown) => {
        options.logger.error({ err, url: request.url }, 'request to the operations port failed');
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    this.server.on('error', (err) => options.logger.warn({ err }, 'the operations port failed'));
  }

  static async listen(options: OperationsServerOptions): Promise<OperationsServer> {
    const created = new OperationsServer(options);
    const { host, port, setting, logger } = options;
    created.server.listen(port, host);
    try {
      await once(created.server, 'listening');
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new SettingsError(`${setting}: cannot listen on ${host}:${port} (${code}).`);
    }
    logger.info(`metrics and health on ${created.url}`);
    return created;
  }

  get url(): string {
    const address = this.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.options.port;
    return `http://${this.options.host}:${port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const { metrics, health } = this.options;
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405).end();
      return;
    }
    switch (url?.split('?')[0]) {
      case '/metrics':
        reply(response, 200, metrics.registry.contentType, await metrics.registry.metrics());
        return;
      case '/health/live':
        reply(response, 200, JSON_TYPE, JSON.stringify({ status: 'live' }));
        return;
      case '/health/ready': {
        const found = await health.ready();
        reply(response, canServe(found) ? 200 : 503, JSON_TYPE, JSON.stringify(found));
        return;
      }
      case '/health/components':
      case '/health/parts':
        reply(response, 200, JSON_TYPE, JSON.stringify(await health.diagnosis()));
        return;
      default:
        response.writeHead(404).end();
    }
  }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
