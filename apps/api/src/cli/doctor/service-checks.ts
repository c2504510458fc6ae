import { randomUUID } from 'node:crypto';
import { connect } from 'node:tls';
import { AwsClient } from 'aws4fetch';
import { Redis } from 'ioredis';
import { S3Files } from '../../platform/adapters/files/s3-files.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { withTimeout } from '../../platform/operations/health.js';
import { advice, broken, ok, checkTimeout, CHECK_TIMEOUT_MS, reasonOf, type Finding } from './finding.js';

const MIN_REDIS_VERSION = [6, 2] as const;
const MEMORY_ALARM_RATIO = 0.9;

/** Checks version, eviction, memory and persistence: Redis must not drop BullMQ's jobs. */
export async function checkRedis({ redisUrl }: Pick<Settings, 'redisUrl'>): Promise<Finding[]> {
  if (redisUrl === undefined) return [];
  const redis = new Redis(redisUrl, {
    connectionName: 'nimo-doctor',
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: CHECK_TIMEOUT_MS,
    commandTimeout: CHECK_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', (error) => {
    reason = error;
  });
  let reason: unknown;
  try {
    await redis.connect();
    return assessRedis(parseInfo(await redis.info()));
  } catch (error) {
    return [
      broken(
        'redis',
        `Cannot connect with REDIS_URL: ${reasonOf(reason ?? error)}.`,
        'Check the host, port, password and TLS (rediss://) of the URL.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
}

const parseInfo = (info: string): ReadonlyMap<string, string> =>
  new Map(
    info.split('\r\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );

/** @param info fields of the INFO command */
export function assessRedis(info: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const version = info.get('redis_version') ?? '0.0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = MIN_REDIS_VERSION;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    findings.push(
      broken(
        'redis',
        `Redis ${version} is older than ${MIN_REDIS_VERSION.join('.')}.`,
        'Upgrade to Redis 7.',
      ),
    );
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  const [limit, used] = [Number(info.get('maxmemory') ?? 0), Number(info.get('used_memory') ?? 0)];
  if (policy !== 'noeviction')
    findings.push(
      broken(
        'redis',
        `maxmemory-policy is ${policy}: Redis may drop jobs.`,
        'Set maxmemory-policy to noeviction.',
      ),
    );
  if (limit > 0 && used > limit * MEMORY_ALARM_RATIO)
    findings.push(
      broken(
        'redis',
        `${Math.round((used / limit) * 100)} % of maxmemory is used: sending of codes and emails and picture processing will soon fail.`,
        'Raise maxmemory.',
      ),
    );
  if (info.get('aof_enabled') === '0')
    findings.push(
      advice(
        'redis',
        'The append-only file is off: a crash of Redis loses the jobs of the last minutes.',
        'Set appendonly to yes.',
      ),
    );
  return findings.length > 0 ? findings : [ok('redis', `Redis ${version} keeps jobs safe.`)];
}

const PICTURE = 'image/webp';

/** Checks that the bucket supports put, get, delete, and uploads from browsers at PUBLIC_URL. */
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
    listed = await client.fetch(`${root}/?list-type=2&max-keys=1`, { signal: checkTimeout() });
  } catch (error) {
    return [
      broken(
        'picture store',
        `S3_ENDPOINT does not respond: ${reasonOf(error)}.`,
        'Check the host, port and TLS of S3_ENDPOINT.',
      ),
    ];
  }
  if (!listed.ok) return [bucketFinding(settings, listed.status, await listed.text())];
  const files = new S3Files(bucket);
  const path = `doctor/${randomUUID()}`;
  try {
    await files.put(path, Buffer.from('doctor'), PICTURE);
    if ((await files.get(path))?.toString() !== 'doctor')
      throw new Error('the object was read back with different content');
    await files.remove(path);
  } catch (error) {
    return [
      broken(
        'picture store',
        `The access key cannot put, get and delete objects: ${reasonOf(error)}.`,
        'Grant it s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket on the bucket.',
      ),
    ];
  }
  return [
    ok('picture store', `The bucket ${s3Bucket} allows list, put, get and delete.`),
    ...(publicUrl === undefined ? [] : [await checkCors(files, path, new URL(publicUrl).origin)]),
    await checkLifecycle(client, root),
  ];
}

function bucketFinding({ s3Bucket = '' }: Settings, status: number, body: string): Finding {
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1];
  const error = code === undefined ? String(status) : `${status} ${code}`;
  if (status === 404)
    return broken(
      'picture store',
      `The bucket ${s3Bucket} does not exist (${error}).`,
      'Create it, or correct S3_BUCKET.',
    );
  if (code === 'RequestTimeTooSkewed')
    return broken(
      'picture store',
      'Its clock and that of this machine differ.',
      'Run a time service on this machine.',
    );
  return broken(
    'picture store',
    `The bucket ${s3Bucket} responds with ${error}.`,
    'Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION and the permissions of the key.',
  );
}

/** Sends the preflight request of a browser upload. */
async function checkCors(files: S3Files, path: string, origin: string): Promise<Finding> {
  const check = 'picture store CORS';
  const fix = `Allow PUT and GET from ${origin} with the header content-type (docs/deploying.md).`;
  const address = await files.signedUrls.toPut(path, { contentType: PICTURE, contentLength: 6 }, 60);
  const response = await fetch(address, {
    method: 'OPTIONS',
    signal: checkTimeout(),
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
    return broken(check, `The origin ${origin} is not allowed: picture uploads fail.`, fix);
  if (!/\bPUT\b|\*/.test(methods))
    return broken(check, 'The method PUT is not allowed: picture uploads fail.', fix);
  if (!/content-type|\*/.test(headers))
    return broken(check, 'The header content-type is not allowed: picture uploads fail.', fix);
  return ok(check, `Uploads from ${origin} are allowed.`);
}

async function checkLifecycle(client: AwsClient, root: string): Promise<Finding> {
  const check = 'picture store lifecycle';
  const response = await client.fetch(`${root}/?lifecycle`, { signal: checkTimeout() });
  const text = await response.text();
  if (response.ok && text.includes('<Status>Enabled</Status>'))
    return ok(check, 'A lifecycle rule is enabled.');
  // Not every store supports lifecycle rules, and the key may not be allowed to read them.
  if (response.ok || response.status === 404)
    return advice(
      check,
      'No lifecycle rule removes old versions and aborted uploads.',
      'Add a rule for both (docs/deploying.md). Nimo deletes pictures, but not their old versions.',
    );
  return advice(
    check,
    `The lifecycle rules cannot be read (${response.status}).`,
    'Check manually that old versions are removed.',
  );
}

const MIN_TYPESENSE_VERSION = 27;

export async function checkSearch({ typesenseUrl, typesenseApiKey }: Settings): Promise<Finding[]> {
  if (typesenseUrl === undefined || typesenseApiKey === undefined) return [];
  const root = typesenseUrl.replace(/\/$/, '');
  const headers = { 'x-typesense-api-key': typesenseApiKey };
  try {
    const collections = await fetch(`${root}/collections`, { headers, signal: checkTimeout() });
    if (collections.status === 401 || collections.status === 403)
      return [
        broken(
          'search',
          'Typesense rejects TYPESENSE_API_KEY.',
          'Create a key with collections:*, documents:* and aliases:*.',
        ),
      ];
    if (!collections.ok) throw new Error(`status ${collections.status}`);
    const debug = await fetch(`${root}/debug`, { headers, signal: checkTimeout() });
    const { version = '' } = debug.ok ? ((await debug.json()) as { version?: string }) : {};
    const major = Number.parseInt(version, 10);
    if (major < MIN_TYPESENSE_VERSION)
      return [
        broken(
          'search',
          `Typesense ${version} is older than ${MIN_TYPESENSE_VERSION}.`,
          'Upgrade to Typesense 27 or later.',
        ),
      ];
    return [ok('search', version === '' ? 'Typesense responds.' : `Typesense ${version} responds.`)];
  } catch (error) {
    return [
      broken(
        'search',
        `TYPESENSE_URL does not respond: ${reasonOf(error)}.`,
        'Check the URL. The embedded engine answers searches until then.',
      ),
    ];
  }
}

export async function checkMail({ smtpUrl, mailFrom, nodeEnv }: Settings): Promise<Finding[]> {
  if (smtpUrl === undefined) return [notConfigured('mail', 'SMTP_URL', nodeEnv)];
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(smtpUrl);
  try {
    await withTimeout(transport.verify(), CHECK_TIMEOUT_MS);
  } catch (error) {
    return [
      broken(
        'mail',
        `Cannot connect to the mail server: ${reasonOf(error)}.`,
        'Check the host, port, user and password of SMTP_URL, and use smtps:// for implicit TLS.',
      ),
    ];
  } finally {
    transport.close();
  }
  if (nodeEnv === 'production' && /@localhost>?$/.test(mailFrom))
    return [
      broken(
        'mail',
        `MAIL_FROM is ${mailFrom}, which other servers reject.`,
        'Set MAIL_FROM to an address of your domain.',
      ),
    ];
  return [ok('mail', 'The mail server accepts the login.')];
}

const notConfigured = (check: string, setting: string, nodeEnv: Settings['nodeEnv']): Finding =>
  nodeEnv === 'production'
    ? broken(check, `${setting} is not set: no messages are sent.`, `Set ${setting}.`)
    : advice(
        check,
        `${setting} is not set: messages stay in the development outbox.`,
        `Set ${setting} before students sign up.`,
      );

export async function checkSms(settings: Settings, origin = 'https://api.twilio.com'): Promise<Finding[]> {
  const { twilioAccountSid, twilioAuthToken, nodeEnv } = settings;
  if (twilioAccountSid === undefined || twilioAuthToken === undefined)
    return [notConfigured('sms', 'TWILIO_ACCOUNT_SID', nodeEnv)];
  const authorization = `Basic ${Buffer.from(`${twilioAccountSid}:${twilioAuthToken}`).toString('base64')}`;
  try {
    const response = await fetch(`${origin}/2010-04-01/Accounts/${twilioAccountSid}.json`, {
      headers: { authorization },
      signal: checkTimeout(),
    });
    if (response.status === 401 || response.status === 404)
      return [
        broken('sms', 'Twilio rejects the credentials.', 'Check TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.'),
      ];
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { status = 'active' } = (await response.json()) as { status?: string };
    return status === 'active'
      ? [ok('sms', 'Twilio accepts the credentials.')]
      : [broken('sms', `The Twilio account is ${status}.`, 'Reactivate it at Twilio.')];
  } catch (error) {
    return [
      broken(
        'sms',
        `Twilio does not respond: ${reasonOf(error)}.`,
        'Allow outgoing connections to api.twilio.com.',
      ),
    ];
  }
}

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
        const response = await fetch(address, { signal: checkTimeout() });
        if (!response.ok) throw new Error(`status ${response.status}`);
        const claimed = ((await response.json()) as { issuer?: string }).issuer;
        if (claimed?.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
          throw new Error(`its configuration names the issuer ${claimed ?? '(none)'}`);
        return ok('sign-in', `${name} responds.`);
      } catch (error) {
        return broken(
          'sign-in',
          `Cannot use ${name}: ${reasonOf(error)}.`,
          'Set it to the issuer exactly as the provider states it.',
        );
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

const DAY_MS = 86_400_000;
const RENEWAL_DAYS = 14;

/** Checks the public URL, as far as possible from this machine. */
export async function checkPublicAddress({ publicUrl, trustProxy, nodeEnv }: Settings): Promise<Finding[]> {
  if (publicUrl === undefined) return [];
  const url = new URL(publicUrl);
  const findings: Finding[] = [];
  if (url.protocol === 'http:' && nodeEnv === 'production')
    findings.push(
      broken(
        'public address',
        'PUBLIC_URL uses http: passwords are sent unencrypted.',
        'Put a TLS proxy in front of Nimo, and set PUBLIC_URL to https.',
      ),
    );
  if (url.protocol === 'https:' && trustProxy === 0)
    findings.push(
      broken(
        'proxy',
        'PUBLIC_URL uses https, so there is a proxy; with TRUST_PROXY=false all clients share its rate limits.',
        'Set TRUST_PROXY to the number of proxies or to their networks.',
      ),
    );
  try {
    const response = await fetch(new URL('/health/live', url), {
      signal: checkTimeout(),
      redirect: 'manual',
    });
    if (!response.ok) throw new Error(`/health/live returned status ${response.status}`);
    findings.push(ok('public address', `${url.origin} responds.`));
  } catch (error) {
    findings.push(
      advice(
        'public address',
        `${url.origin} does not respond from this machine: ${reasonOf(error)}.`,
        'Start Nimo, and check the name, port and certificate of the proxy.',
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
    timeout: CHECK_TIMEOUT_MS,
  });
  try {
    await withTimeout(
      new Promise<void>((resolve, reject) => {
        socket.once('secureConnect', resolve).once('error', reject);
      }),
      CHECK_TIMEOUT_MS,
    );
    const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS);
    return days > RENEWAL_DAYS
      ? [ok(check, `Valid for ${days} days.`)]
      : [advice(check, `Expires in ${days} days.`, 'Renew it, and find out why automatic renewal failed.')];
  } catch (error) {
    return [
      broken(
        check,
        `Browsers reject it: ${reasonOf(error)}.`,
        'Install a valid certificate for that name, with its full chain.',
      ),
    ];
  } finally {
    socket.destroy();
  }
}
