export default async function tearDown() {
  await globalThis.nimoTestServer?.stop();
}
