import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { AwsClient } from 'aws4fetch';
import { Redis } from 'ioredis';
import { S3Files } from '../../platform/adapters/files/s3-files.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { withTimeout } from '../../platform/operations/health.js';
import { advice, broken, fine, patience, PATIENCE_MS, reasonOf, type Finding } from './finding.js';

const OLDEST_REDIS = [6, 2] as const;
const FULL = 0.9;

/** Jobs of BullMQ must not be dropped, and scripts must be known. */
export async function checkRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const redis = new Redis(redisUrl, {
    connectionName: 'nimo-doctor',
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', (error) => {
    reason = error;
  });
  let reason: unknown;
  try {
    await redis.connect();
    return judgeRedis(valuesOf(await redis.info()));
  } catch (error) {
    return [
      broken(
        'redis',
        `REDIS_URL does not let us in: ${reasonOf(reason ?? error)}.`,
        'Check host, port, password and TLS (rediss://) of that address.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

const valuesOf = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );

/** @param info what INFO says, by name */
export function judgeRedis(info: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const version = info.get('redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_REDIS;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    findings.push(
      broken('redis', `Redis ${version} is older than ${OLDEST_REDIS.join('.')}.`, 'Move to Redis 7.'),
    );
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  const [most, used] = [Number(info.get('maxmemory') ?? 0), Number(info.get('used_memory') ?? 0)];
  if (policy !== 'noeviction')
    findings.push(
      broken(
        'redis',
        `maxmemory-policy is ${policy}: Redis may drop jobs.`,
        'Set maxmemory-policy to noeviction.',
      ),
    );
  if (most > 0 && used > most * FULL)
    findings.push(
      broken(
        'redis',
        `${Math.round((used / most) * 100)} % of maxmemory is used: soon no code, mail or picture is sent.`,
        'Raise maxmemory.',
      ),
    );
  if (info.get('aof_enabled') === '0')
    findings.push(
      advice(
        'redis',
        'Redis keeps no log of changes: jobs of the last minutes are lost with it.',
        'Set appendonly to yes.',
      ),
    );
  return findings.length > 0 ? findings : [fine('redis', `Redis ${version} keeps jobs.`)];
}

const PICTURE = 'image/webp';

/** The bucket, by what pictures need: put, read, removed, and taken from browsers at PUBLIC_URL. */
export async function checkPictureStore(settings: Settings): Promise<Finding[]> {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey, s3Region, publicUrl } = settings;
  if (
    s3Endpoint === undefined ||
    s3Bucket === undefined ||
    s3AccessKeyId === undefined ||
    s3SecretAccessKey === undefined
  )
    return [];
  const bucket = {
    endpoint: s3Endpoint,
    bucket: s3Bucket,
    region: s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
  };
  const root = `${s3Endpoint.replace(/\/$/, '')}/${s3Bucket}`;
  const { accessKeyId, secretAccessKey, region } = bucket;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  let listed: Response;
  try {
    listed = await client.fetch(`${root}/?list-type=2&max-keys=1`, { signal: patience() });
  } catch (error) {
    return [
      broken(
        'picture store',
        `S3_ENDPOINT does not answer: ${reasonOf(error)}.`,
        'Check host, port and TLS of S3_ENDPOINT.',
      ),
    ];
  }
  if (!listed.ok) return [refusedBucket(settings, listed.status, await listed.text())];
  const files = new S3Files(bucket);
  const path = `doctor/${randomUUID()}`;
  try {
    await files.put(path, Buffer.from('doctor'), PICTURE);
    if ((await files.get(path))?.toString() !== 'doctor') throw new Error('another content came back');
    await files.remove(path);
  } catch (error) {
    return [
      broken(
        'picture store',
        `The key cannot put, read and remove: ${reasonOf(error)}.`,
        'Give it s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket on that bucket.',
      ),
    ];
  }
  return [
    fine('picture store', `The bucket ${s3Bucket} can be listed, written, read and emptied.`),
    ...(publicUrl === undefined ? [] : [await checkCors(files, path, new URL(publicUrl).origin)]),
    await checkLifecycle(client, root),
  ];
}

function refusedBucket({ s3Bucket = '' }: Settings, status: number, body: string): Finding {
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1];
  const told = code === undefined ? String(status) : `${status} ${code}`;
  if (status === 404)
    return broken(
      'picture store',
      `There is no bucket ${s3Bucket} (${told}).`,
      'Make it, or correct S3_BUCKET.',
    );
  if (code === 'RequestTimeTooSkewed')
    return broken('picture store', 'Its clock and this one disagree.', 'Run a time service on this machine.');
  return broken(
    'picture store',
    `The bucket ${s3Bucket} answers ${told}.`,
    'Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION and what that key may do.',
  );
}

/** As a browser asks before it sends a picture there. */
async function checkCors(files: S3Files, path: string, origin: string): Promise<Finding> {
  const check = 'picture store CORS';
  const remedy = `Let ${origin} PUT and GET with the header content-type (docs/deploying.md).`;
  const address = await files.addresses.toPut(path, { contentType: PICTURE, contentLength: 6 }, 60);
  const response = await fetch(address, {
    method: 'OPTIONS',
    signal: patience(),
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    },
  });
  const allowed = response.headers.get('access-control-allow-origin');
  const methods = response.headers.get('access-control-allow-methods') ?? '';
  const headers = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  if (!response.ok || (allowed !== '*' && allowed !== origin))
    return broken(check, `Browsers at ${origin} are not let in: no picture can be sent.`, remedy);
  if (!/\bPUT\b|\*/.test(methods)) return broken(check, 'PUT is not let in: no picture can be sent.', remedy);
  if (!/content-type|\*/.test(headers))
    return broken(check, 'The header content-type is not let in.', remedy);
  return fine(check, `Browsers at ${origin} may send pictures.`);
}

async function checkLifecycle(client: AwsClient, root: string): Promise<Finding> {
  const check = 'picture store lifecycle';
  const response = await client.fetch(`${root}/?lifecycle`, { signal: patience() });
  const text = await response.text();
  if (response.ok && text.includes('<Status>Enabled</Status>')) return fine(check, 'A rule is at work.');
  // A store without this part of S3, or a key that may not read it, is no fault.
  if (response.ok || response.status === 404)
    return advice(
      check,
      'No rule removes old versions and uploads that were broken off.',
      'Add a lifecycle rule for both (docs/deploying.md); Nimo removes pictures, not their former versions.',
    );
  return advice(
    check,
    `It cannot be read (${response.status}).`,
    'Look by hand whether old versions are removed.',
  );
}

const OLDEST_TYPESENSE = 27;

export async function checkSearch({ typesenseUrl, typesenseApiKey }: Settings): Promise<Finding[]> {
  if (typesenseUrl === undefined || typesenseApiKey === undefined) return [];
  const root = typesenseUrl.replace(/\/$/, '');
  const headers = { 'x-typesense-api-key': typesenseApiKey };
  try {
    const collections = await fetch(`${root}/collections`, { headers, signal: patience() });
    if (collections.status === 401 || collections.status === 403)
      return [
        broken(
          'search',
          'Typesense refuses TYPESENSE_API_KEY.',
          'Make a key that may collections:*, documents:* and aliases:*.',
        ),
      ];
    if (!collections.ok) throw new Error(`it answered ${collections.status}`);
    const debug = await fetch(`${root}/debug`, { headers, signal: patience() });
    const { version = '' } = debug.ok ? ((await debug.json()) as { version?: string }) : {};
    const major = Number.parseInt(version, 10);
    if (major < OLDEST_TYPESENSE)
      return [
        broken(
          'search',
          `Typesense ${version} is older than ${OLDEST_TYPESENSE}.`,
          'Move to Typesense 27 or later.',
        ),
      ];
    return [fine('search', version === '' ? 'Typesense answers.' : `Typesense ${version} answers.`)];
  } catch (error) {
    return [
      broken(
        'search',
        `TYPESENSE_URL does not answer: ${reasonOf(error)}.`,
        'Check that address; until then the embedded engine answers.',
      ),
    ];
  }
}

export async function checkMail({ smtpUrl, mailFrom, nodeEnv }: Settings): Promise<Finding[]> {
  if (smtpUrl === undefined) return [notSent('mail', 'SMTP_URL', nodeEnv)];
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpUrl);
  try {
    await withTimeout(transport.verify(), PATIENCE_MS);
  } catch (error) {
    return [
      broken(
        'mail',
        `The mail server does not take us: ${reasonOf(error)}.`,
        'Check host, port, user and password of SMTP_URL, and smtps:// for TLS from the start.',
      ),
    ];
  } finally {
    transport.close();
  }
  if (nodeEnv === 'production' && /@localhost>?$/.test(mailFrom))
    return [
      broken(
        'mail',
        `MAIL_FROM is ${mailFrom}: other servers refuse it.`,
        'Set MAIL_FROM to an address of your domain.',
      ),
    ];
  return [fine('mail', 'The mail server takes us.')];
}

const notSent = (check: string, setting: string, nodeEnv: Settings['nodeEnv']): Finding =>
  nodeEnv === 'production'
    ? broken(check, `${setting} is not set: nothing is sent.`, `Set ${setting}.`)
    : advice(
        check,
        `${setting} is not set: messages stay in the development outbox.`,
        `Set ${setting} before people sign up.`,
      );

export async function checkSms(settings: Settings, origin = 'https://api.twilio.com'): Promise<Finding[]> {
  const { twilioAccountSid, twilioAuthToken, nodeEnv } = settings;
  if (twilioAccountSid === undefined || twilioAuthToken === undefined)
    return [notSent('sms', 'TWILIO_ACCOUNT_SID', nodeEnv)];
  const authorization = `Basic ${Buffer.from(`${twilioAccountSid}:${twilioAuthToken}`).toString('base64')}`;
  try {
    const response = await fetch(`${origin}/2010-04-01/Accounts/${twilioAccountSid}.json`, {
      headers: { authorization },
      signal: patience(),
    });
    if (response.status === 401 || response.status === 404)
      return [
        broken('sms', 'Twilio refuses the account.', 'Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.'),
      ];
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const { status = 'active' } = (await response.json()) as { status?: string };
    return status === 'active'
      ? [fine('sms', 'Twilio takes us.')]
      : [broken('sms', `The Twilio account is ${status}.`, 'Open it again at Twilio.')];
  } catch (error) {
    return [
      broken('sms', `Twilio does not answer: ${reasonOf(error)}.`, 'Let this machine reach api.twilio.com.'),
    ];
  }
}

/** Every provider that people sign in with. */
export async function checkSignIn(settings: Settings): Promise<Finding[]> {
  const issuers = [
    ['OIDC_FIRST_ISSUER', settings.oidcFirstIssuer],
    ['OIDC_SECOND_ISSUER', settings.oidcSecondIssuer],
  ] as const;
  const findings = await Promise.all(
    issuers.map(async ([name, issuer]) => {
      if (issuer === undefined) return undefined;
      try {
        const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
        const response = await fetch(address, { signal: patience() });
        if (!response.ok) throw new Error(`it answered ${response.status}`);
        const told = ((await response.json()) as { issuer?: string }).issuer;
        if (told?.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
          throw new Error(`it calls itself ${told ?? 'nothing'}`);
        return fine('sign-in', `${name} answers.`);
      } catch (error) {
        return broken(
          'sign-in',
          `${name} cannot be used: ${reasonOf(error)}.`,
          'Set it to the issuer exactly as the provider writes it.',
        );
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

const DAY_MS = 86_400_000;
const RENEWED_WITHIN_DAYS = 14;

/** The address that people use, as far as it can be seen from here. */
export async function checkPublicAddress({ publicUrl, trustProxy, nodeEnv }: Settings): Promise<Finding[]> {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const findings: Finding[] = [];
  if (url.protocol === 'http:' && nodeEnv === 'production')
    findings.push(
      broken(
        'public address',
        'PUBLIC_URL is http: passwords travel in clear.',
        'Put a proxy with TLS in front, and set PUBLIC_URL to https.',
      ),
    );
  if (url.protocol === 'https:' && trustProxy === 0)
    findings.push(
      broken(
        'proxy',
        'Nimo speaks no TLS, so a proxy stands in front; with TRUST_PROXY=false all people share its limits.',
        'Set TRUST_PROXY to the number of proxies, or to their networks.',
      ),
    );
  try {
    const response = await fetch(new URL('/health/live', url), { signal: patience(), redirect: 'manual' });
    if (!response.ok) throw new Error(`/health/live answered ${response.status}`);
    findings.push(fine('public address', `${url.origin} answers.`));
  } catch (error) {
    findings.push(
      advice(
        'public address',
        `${url.origin} does not answer from here: ${reasonOf(error)}.`,
        'Start Nimo, and check name, port and certificate of the proxy.',
      ),
    );
  }
  if (url.protocol === 'https:') findings.push(...(await checkCertificate(url)));
  return findings;
}

async function checkCertificate({ hostname, port }: URL): Promise<Finding[]> {
  const check = 'certificate';
  const socket = connect({
    host: hostname,
    port: Number(port || 443),
    servername: hostname,
    timeout: PATIENCE_MS,
  });
  try {
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        socket.once('secureConnect', resolve).once('error', reject);
      }),
      PATIENCE_MS,
    );
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    return days > RENEWED_WITHIN_DAYS
      ? [fine(check, `Good for ${days} days.`)]
      : [advice(check, `Ends in ${days} days.`, 'Renew it, and see why that did not happen by itself.')];
  } catch (error) {
    return [
      broken(
        check,
        `Browsers refuse it: ${reasonOf(error)}.`,
        'Renew the certificate, with its whole chain and for that name.',
      ),
    ];
  } finally {
    socket.destroy();
  }
}
