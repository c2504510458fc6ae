import { endProcess } from '../../libs/testing/src/process-end.ts';

export default async function tearDown() {
  await endProcess();
  await globalThis.nimoTestServer?.stop();
}
