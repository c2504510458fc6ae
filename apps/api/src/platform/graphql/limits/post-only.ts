import type { FastifyInstance } from 'fastify';

const PATH = '/graphql';
const BODY = {
  errors: [
    {
      message: 'Send GraphQL requests by POST: an address is kept in histories and logs.',
      extensions: { code: 'VALIDATION_FAILED', rule: 'POST_ONLY' },
    },
  ],
};

/** Passwords and tokens are arguments: they must stand in no address, and answers be kept by nobody. */
export function askByPostOnly(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url !== PATH) {
      done();
      return;
    }
    void reply.header('cache-control', 'no-store');
    if (request.method === 'POST') done();
    else void reply.code(405).header('allow', 'POST').send(BODY);
  });
}
