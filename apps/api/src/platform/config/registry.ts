import {
  address,
  eventStoreAddress,
  issuer,
  key,
  oneOf,
  openIdScope,
  optional,
  personName,
  proxies,
  publicKeys,
  ratio,
  secretAddress,
  secretText,
  setting,
  text,
  wholeNumber,
  checkpointAddress,
} from './setting.js';

/** Every setting. Without any, the whole product runs on one machine. */
export const registry = {
  // The process
  nodeEnv: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'In production, keys are not generated and the development outbox is closed.',
  ),
  host: setting('HOST', text, '127.0.0.1', 'Address the API listens on; 0.0.0.0 for all.'),
  port: setting(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'Port of the API. If it is not set and 3000 is in use, npm start takes the next free port.',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    address('https', 'http'),
    'Public URL of Nimo, for links in mails, search engines and the allowed origin of WebSockets. Required in production. Default: the address listened on.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies,
    'false',
    'Proxies in front that append to X-Forwarded-For: their number (true is 1), or their addresses and networks, separated by commas. Other entries of the header are ignored.',
  ),
  dataDir: setting(
    'NIMO_DATA_DIR',
    text,
    'data',
    'Folder for all data of the embedded components: database, media, keys, logs.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Minimum severity of log entries.',
  ),

  // Operations: see docs/operations.md
  metricsHost: setting(
    'METRICS_HOST',
    text,
    '127.0.0.1',
    'Address of the operations ports; must not be reachable by the public.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    'Operations port of the API, for /metrics (Prometheus) and /health. Default: none.',
  ),
  workerPort: optional(
    'WORKER_PORT',
    wholeNumber(0, 65_535),
    'Operations port of the worker. Default: none.',
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    wholeNumber(0, 60),
    '0',
    'How long a stopping API accepts connections while /health/ready fails; the time the load balancer needs to notice.',
  ),
  otelEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    address('https', 'http'),
    'OTLP/HTTP endpoint of a trace collector, without /v1/traces. Default: no traces.',
  ),
  otelHeaders: optional(
    'OTEL_EXPORTER_OTLP_HEADERS',
    secretText,
    'Headers for the collector: name=value,name=value.',
  ),
  otelRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    ratio,
    '1',
    'Sampling ratio of traces, from 0 to 1. Sampled by trace id, so that API and worker send the same traces.',
  ),

  // Keys: generated in NIMO_DATA_DIR for an embedded database, required in production. Include them in every back-up.
  masterKey: optional('NIMO_MASTER_KEY', key, 'Encrypts the per-student keys of personal data.'),
  previousMasterKey: optional(
    'NIMO_MASTER_KEY_PREVIOUS',
    key,
    'The previous master key during rotation, to decrypt existing data (docs/operations.md).',
  ),
  hmacKey: optional(
    'NIMO_HMAC_KEY',
    key,
    'Hashes phone numbers, email addresses and usernames for uniqueness checks.',
  ),
  previousHmacKey: optional(
    'NIMO_HMAC_KEY_PREVIOUS',
    key,
    'The previous NIMO_HMAC_KEY during rotation, to find existing hashes (docs/operations.md).',
  ),
  signingKey: optional('NIMO_SIGNING_KEY', key, 'Signs upload URLs and grants.'),
  logSigningKey: optional(
    'LOG_SIGNING_KEY',
    key,
    'Ed25519 key that signs the log heads stored outside the database. Required in production.',
  ),
  backupKey: optional(
    'NIMO_BACKUP_KEY',
    key,
    'Encrypts the backups of nimo backup; keep it separate from them. Default: unencrypted backups.',
  ),
  tombstones: optional(
    'NIMO_TOMBSTONES',
    text,
    'File with the ids of erased students, whom nimo restore erases again; best on another disk and in no backup. Default: NIMO_DATA_DIR/tombstones.jsonl.',
  ),
  logHeadsDir: optional(
    'LOG_HEADS_DIR',
    text,
    'Folder for signed log heads, best on a disk the database server cannot write to. Default: NIMO_DATA_DIR/heads.',
  ),
  logPreviousKeys: optional(
    'LOG_PREVIOUS_KEYS',
    publicKeys,
    'Public keys of previous LOG_SIGNING_KEYs whose signatures are still trusted; see nimo log public-key.',
  ),
  logCheckpointUrl: optional(
    'LOG_CHECKPOINT_URL',
    checkpointAddress,
    'External checkpoint for signed log heads: s3://bucket/prefix at S3_ENDPOINT, or the https:// URL of a webhook (docs/maintenance.md).',
  ),
  logCheckpointSecret: optional(
    'LOG_CHECKPOINT_SECRET',
    secretText,
    'Secret that signs requests to the webhook (HMAC-SHA-256).',
  ),
  operator: optional(
    'NIMO_OPERATOR',
    personName,
    'Name of the CLI user in the log and the audit; nimo --operator overrides it for one command. Default: the operating system user.',
  ),
  graphqlDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    oneOf('own', 'signed-in', 'any'),
    'Accepted GraphQL documents: own (the web app and GRAPHQL_DOCUMENTS_DIR), signed-in (also any others from signed-in callers), any. Default: own in production, any elsewhere.',
  ),
  graphqlDocumentsDir: optional(
    'GRAPHQL_DOCUMENTS_DIR',
    text,
    'Folder of registered documents of other programs, read at start: .graphql files and .json manifests (docs/api/reference.md). Default: none.',
  ),
  rateLimitFactor: setting(
    'RATE_LIMIT_FACTOR',
    wholeNumber(1, 1_000_000),
    '1',
    'Multiplies the rate limits per student and address; for tests and benchmarks.',
  ),

  staffSecondFactor: optional(
    'STAFF_SECOND_FACTOR',
    oneOf('required', 'offered'),
    'Whether moderators and maintainers need a second factor for the staff areas. Default: required in production, where it cannot be changed; offered elsewhere.',
  ),

  serviceWorker: setting(
    'SERVICE_WORKER',
    oneOf('on', 'off'),
    'on',
    'Whether browsers cache the app and recently read pages for offline use. off clears the caches on the next visit.',
  ),

  termsVersion: optional(
    'TERMS_VERSION',
    personName,
    'Version of the terms of use in TERMS_FILE. Students who accepted another version must accept it after sign-in before they can write.',
  ),
  termsFile: optional(
    'TERMS_FILE',
    text,
    'Terms of use of this installation, plain UTF-8 text up to 64 kB. Default: a short built-in text, which never has to be accepted again.',
  ),

  objectionContact: optional(
    'OBJECTION_CONTACT',
    text,
    'Where authors can object to the removal of a post: an email address, a web address or a name, which they read next to the reason.',
  ),

  securityLogDays: setting(
    'SECURITY_LOG_DAYS',
    wholeNumber(1, 3650),
    '180',
    'How long logins and access changes stay in the security log of an account.',
  ),

  // External services
  databaseUrl: optional(
    'DATABASE_URL',
    secretAddress('postgresql', 'postgres'),
    'PostgreSQL 16 or later. Default: the embedded one.',
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    secretAddress('postgresql', 'postgres'),
    'The same server without a pooler, for LISTEN and locks. Default: DATABASE_URL.',
  ),
  databaseOwnerUrl: optional(
    'DATABASE_OWNER_URL',
    secretAddress('postgresql', 'postgres'),
    'The same database as its owner, without a pooler: runs migrations and grants privileges to the roles nimo_api and nimo_worker. Default: DATABASE_URL is used for everything.',
  ),
  databaseWorkerUrl: optional(
    'DATABASE_WORKER_URL',
    secretAddress('postgresql', 'postgres'),
    'The same database as nimo_worker, for the worker. Default: DATABASE_URL.',
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', wholeNumber(2, 200), '16', 'Connections per process.'),
  eventStoreUrl: optional(
    'EVENTSTORE_URL',
    eventStoreAddress,
    'EventStoreDB or KurrentDB for the event log; list every node of a cluster: esdb://a:2113,b:2113,c:2113. Default: PostgreSQL.',
  ),
  typesenseUrl: optional(
    'TYPESENSE_URL',
    address('https', 'http'),
    'Typesense 27 or later for search, with the embedded engine as fallback. Default: PostgreSQL.',
  ),
  typesenseApiKey: optional(
    'TYPESENSE_API_KEY',
    secretText,
    'Typesense API key that may create collections and aliases, and write and search documents.',
  ),
  redisUrl: optional(
    'REDIS_URL',
    secretAddress('redis', 'rediss'),
    'Redis for jobs, rate limits and messages between processes. Default: PostgreSQL.',
  ),
  s3Endpoint: optional(
    'S3_ENDPOINT',
    address('https', 'http'),
    'S3-compatible store for images, at a URL browsers reach too; the bucket must allow PUT and GET from PUBLIC_URL (CORS). Default: NIMO_DATA_DIR/media.',
  ),
  s3Region: setting('S3_REGION', text, 'us-east-1', 'Region of the store.'),
  s3Bucket: optional('S3_BUCKET', text, 'Bucket in the store.'),
  s3AccessKeyId: optional('S3_ACCESS_KEY_ID', secretText, 'Access key of the store.'),
  s3SecretAccessKey: optional('S3_SECRET_ACCESS_KEY', secretText, 'Secret of the access key.'),

  // SMS and mail; without them messages go to the development outbox
  twilioAccountSid: optional('TWILIO_ACCOUNT_SID', secretText, 'Twilio account that sends SMS.'),
  twilioAuthToken: optional('TWILIO_AUTH_TOKEN', secretText, 'Auth token of the account.'),
  twilioFrom: optional('TWILIO_FROM', text, 'Sender of the SMS.'),
  smsPerHour: setting(
    'SMS_PER_HOUR',
    wholeNumber(1, 1_000_000),
    '500',
    'Total SMS per hour. Above it, senders must solve a proof of work; above twice as many, none is sent.',
  ),
  smsPerDay: setting('SMS_PER_DAY', wholeNumber(1, 10_000_000), '3000', 'The same per day.'),
  smtpUrl: optional('SMTP_URL', secretAddress('smtps', 'smtp'), 'SMTP server for mail.'),
  mailFrom: setting('MAIL_FROM', text, 'Nimo <nimo@localhost>', 'Sender of mail.'),

  // Sign-in by OpenID Connect; the redirect URI to register is PUBLIC_URL/auth/oidc/first/callback (or second)
  oidcFirstLabel: setting('OIDC_FIRST_LABEL', text, 'Google', 'Label of the first sign-in button.'),
  oidcFirstIssuer: optional('OIDC_FIRST_ISSUER', issuer, 'Issuer URL of the first OpenID provider.'),
  oidcFirstClientId: optional('OIDC_FIRST_CLIENT_ID', text, 'Client ID at that provider.'),
  oidcFirstClientSecret: optional('OIDC_FIRST_CLIENT_SECRET', secretText, 'Client secret at that provider.'),
  oidcFirstScope: setting(
    'OIDC_FIRST_SCOPE',
    openIdScope,
    'openid email profile',
    'Scopes to request; some providers return groups only with an extra scope.',
  ),
  oidcFirstGroupsClaim: setting(
    'OIDC_FIRST_GROUPS_CLAIM',
    text,
    'groups',
    'Claim that lists the groups of a user.',
  ),
  oidcSecondLabel: setting('OIDC_SECOND_LABEL', text, 'Facebook', 'Label of the second sign-in button.'),
  oidcSecondIssuer: optional('OIDC_SECOND_ISSUER', issuer, 'Issuer URL of the second OpenID provider.'),
  oidcSecondClientId: optional('OIDC_SECOND_CLIENT_ID', text, 'Client ID at that provider.'),
  oidcSecondClientSecret: optional(
    'OIDC_SECOND_CLIENT_SECRET',
    secretText,
    'Client secret at that provider.',
  ),
  oidcSecondScope: setting(
    'OIDC_SECOND_SCOPE',
    openIdScope,
    'openid email profile',
    'Scopes to request; some providers return groups only with an extra scope.',
  ),
  oidcSecondGroupsClaim: setting(
    'OIDC_SECOND_GROUPS_CLAIM',
    text,
    'groups',
    'Claim that lists the groups of a user.',
  ),
} as const;

/** Former names of renamed settings by current name. Nimo still reads them, with a warning. */
export const formerNames: Readonly<Record<string, string>> = {
  DRAIN_SECONDS: 'LEAVE_SECONDS',
  LOG_CHECKPOINT_SECRET: 'LOG_WITNESS_SECRET',
  LOG_CHECKPOINT_URL: 'LOG_WITNESS_URL',
  LOG_PREVIOUS_KEYS: 'LOG_FORMER_KEYS',
  NIMO_HMAC_KEY_PREVIOUS: 'NIMO_HMAC_KEY_FORMER',
  NIMO_MASTER_KEY_PREVIOUS: 'NIMO_MASTER_KEY_FORMER',
  SERVICE_WORKER: 'OFFLINE_WORKER',
};

/** Settings that must be set together. */
export const requiredTogether: readonly (readonly (keyof typeof registry)[])[] = [
  ['termsVersion', 'termsFile'],
  ['typesenseUrl', 'typesenseApiKey'],
  ['s3Endpoint', 's3Bucket', 's3AccessKeyId', 's3SecretAccessKey'],
  ['twilioAccountSid', 'twilioAuthToken', 'twilioFrom'],
  ['oidcFirstIssuer', 'oidcFirstClientId', 'oidcFirstClientSecret'],
  ['oidcSecondIssuer', 'oidcSecondClientId', 'oidcSecondClientSecret'],
];
