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
  witnessAddress,
} from './setting.js';

/** Every setting of the product, top to bottom. With none of them given the whole product runs on one machine. */
export const registry = {
  // The process
  nodeEnv: setting(
    'NODE_ENV',
    oneOf('development', 'production', 'test'),
    'development',
    'In production nothing is generated, and the development outbox is closed.',
  ),
  host: setting('HOST', text, '127.0.0.1', 'Address that the api listens on; 0.0.0.0 for all.'),
  port: setting(
    'PORT',
    wholeNumber(0, 65_535),
    '3000',
    'Port of the api; npm start takes the next free one when it is not set and taken.',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    address('https', 'http'),
    'Where people reach Nimo; used in the links of mails and for search engines, and the page that may open sockets. Required in production. Default: the address listened on.',
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    proxies,
    'false',
    'Proxies in front that add to X-Forwarded-For: how many stand one behind the other (true is 1), or their addresses and networks, with commas. Nothing that others say in it is believed.',
  ),
  dataDir: setting(
    'NIMO_DATA_DIR',
    text,
    'data',
    'Folder of everything that the embedded parts store: database, media, keys, logs.',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'Least severity that is logged.',
  ),

  // Operations: see docs/operations.md
  metricsHost: setting(
    'METRICS_HOST',
    text,
    '127.0.0.1',
    'Address of the ports for those who run Nimo; never one that the public reaches.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(0, 65_535),
    'Port of the api for /metrics (Prometheus) and /health. Default: none.',
  ),
  workerPort: optional('WORKER_PORT', wholeNumber(0, 65_535), 'The same of the worker. Default: none.'),
  leaveSeconds: setting(
    'LEAVE_SECONDS',
    wholeNumber(0, 60),
    '0',
    'How long an api that is told to stop still takes connections while /health/ready says no; as long as the load balancer needs to notice.',
  ),
  otelEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    address('https', 'http'),
    'Collector that takes traces by OTLP over HTTP, without /v1/traces. Default: no traces.',
  ),
  otelHeaders: optional(
    'OTEL_EXPORTER_OTLP_HEADERS',
    secretText,
    'Headers for that collector: name=value,name=value.',
  ),
  otelRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    ratio,
    '1',
    'How many of all traces are sent, from 0 to 1. The id of a trace decides, so that api and worker send the same ones.',
  ),

  // Keys: generated under NIMO_DATA_DIR when the database is the embedded one, required in production. They belong into every back-up.
  masterKey: optional('NIMO_MASTER_KEY', key, 'Seals the keys of the personal data of each student.'),
  masterKeyFormer: optional(
    'NIMO_MASTER_KEY_FORMER',
    key,
    'The master key of before, while it rotates: what it sealed opens as well (docs/operations.md).',
  ),
  hmacKey: optional(
    'NIMO_HMAC_KEY',
    key,
    'Names the claims on phones, e-mail addresses and user names without showing them.',
  ),
  hmacKeyFormer: optional(
    'NIMO_HMAC_KEY_FORMER',
    key,
    'The NIMO_HMAC_KEY of before, while it rotates: claims and codes under it are found as well (docs/operations.md).',
  ),
  signingKey: optional('NIMO_SIGNING_KEY', key, 'Signs upload addresses and grants.'),
  logSigningKey: optional(
    'LOG_SIGNING_KEY',
    key,
    'Signs the heads of the log that are written out of the database (Ed25519); required in production.',
  ),
  backupKey: optional(
    'NIMO_BACKUP_KEY',
    key,
    'Encrypts what nimo backup writes, and opens it again; kept apart from the back-ups. Default: they are not encrypted.',
  ),
  tombstones: optional(
    'NIMO_TOMBSTONES',
    text,
    'File of the ids of erased students, best on another disk and in no back-up: nimo restore erases them again. Default: NIMO_DATA_DIR/tombstones.jsonl.',
  ),
  logHeadsDir: optional(
    'LOG_HEADS_DIR',
    text,
    'Folder for the signed heads of the log, best on a disk that the database server cannot write. Default: NIMO_DATA_DIR/heads.',
  ),
  logFormerKeys: optional(
    'LOG_FORMER_KEYS',
    publicKeys,
    'Public keys of former LOG_SIGNING_KEYs, whose signed heads are still believed; see nimo log public-key.',
  ),
  logWitnessUrl: optional(
    'LOG_WITNESS_URL',
    witnessAddress,
    'Place outside of this machine for the signed heads: s3://bucket/prefix in the S3_ENDPOINT, or the https:// address of a webhook (docs/maintenance.md).',
  ),
  logWitnessSecret: optional(
    'LOG_WITNESS_SECRET',
    secretText,
    'Secret that requests to that webhook are signed with (HMAC-SHA-256).',
  ),
  operator: optional(
    'NIMO_OPERATOR',
    personName,
    'Who works at the command line, for the log and the audit; nimo --operator says it for one command. Default: the user of the operating system.',
  ),
  graphqlDocuments: optional(
    'GRAPHQL_DOCUMENTS',
    oneOf('own', 'signed-in', 'any'),
    'Whose GraphQL documents are answered: own, those of the web app and of GRAPHQL_DOCUMENTS_DIR; signed-in, any others for signed-in callers as well; any. Default: own in production, any elsewhere.',
  ),
  graphqlDocumentsDir: optional(
    'GRAPHQL_DOCUMENTS_DIR',
    text,
    'Folder of registered documents of other programs, read at the start: .graphql files, and manifests in .json (docs/api/reference.md). Default: none.',
  ),
  rateLimitFactor: setting(
    'RATE_LIMIT_FACTOR',
    wholeNumber(1, 1_000_000),
    '1',
    'Multiplies the limits per student and address; raised by tests and measurements.',
  ),

  staffSecondFactor: optional(
    'STAFF_SECOND_FACTOR',
    oneOf('required', 'offered'),
    'Whether moderators and maintainers need a second factor in their areas. Default: required in production, where it can be nothing else; offered elsewhere.',
  ),

  offlineWorker: setting(
    'OFFLINE_WORKER',
    oneOf('on', 'off'),
    'on',
    'Whether browsers keep the app, and what their student read last, for when the server is away. off makes the next visit of every browser drop all of it.',
  ),

  termsVersion: optional(
    'TERMS_VERSION',
    personName,
    'Version of the terms of use in TERMS_FILE; whoever accepted another one is asked after sign-in, and writes nothing before.',
  ),
  termsFile: optional(
    'TERMS_FILE',
    text,
    'Terms of use of this installation, plain text in UTF-8 up to 64 KB. Default: a short text of the product, which is shown and asked of nobody again.',
  ),

  securityLogDays: setting(
    'SECURITY_LOG_DAYS',
    wholeNumber(1, 3650),
    '180',
    'How long people see log-ins and changes to the access in the security log of their account.',
  ),

  // Parts that can be moved out
  databaseUrl: optional(
    'DATABASE_URL',
    secretAddress('postgresql', 'postgres'),
    'PostgreSQL 16 or later. Default: the embedded one.',
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    secretAddress('postgresql', 'postgres'),
    'The same server without a pooler in between, for LISTEN and locks. Default: DATABASE_URL.',
  ),
  databaseOwnerUrl: optional(
    'DATABASE_OWNER_URL',
    secretAddress('postgresql', 'postgres'),
    'The same database as its owner, without a pooler: migrates, and gives the roles nimo_api and nimo_worker what each needs. Default: DATABASE_URL does everything.',
  ),
  databaseWorkerUrl: optional(
    'DATABASE_WORKER_URL',
    secretAddress('postgresql', 'postgres'),
    'The same database as nimo_worker, for the worker. Default: DATABASE_URL.',
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', wholeNumber(2, 200), '16', 'Connections of each process.'),
  eventStoreUrl: optional(
    'EVENTSTORE_URL',
    eventStoreAddress,
    'EventStoreDB or KurrentDB for the event log, best with every node of a cluster: esdb://a:2113,b:2113,c:2113. Default: PostgreSQL.',
  ),
  typesenseUrl: optional(
    'TYPESENSE_URL',
    address('https', 'http'),
    'Typesense 27 or later for the search; while it is away, the embedded engine answers. Default: PostgreSQL.',
  ),
  typesenseApiKey: optional(
    'TYPESENSE_API_KEY',
    secretText,
    'Key of that Typesense that may make collections and aliases, write and search documents.',
  ),
  redisUrl: optional(
    'REDIS_URL',
    secretAddress('redis', 'rediss'),
    'Redis for jobs, rate limits and what processes tell each other. Default: PostgreSQL.',
  ),
  s3Endpoint: optional(
    'S3_ENDPOINT',
    address('https', 'http'),
    'S3-compatible store for pictures, as browsers reach it too; its bucket lets PUT and GET in from PUBLIC_URL (CORS). Default: NIMO_DATA_DIR/media.',
  ),
  s3Region: setting('S3_REGION', text, 'us-east-1', 'Region of that store.'),
  s3Bucket: optional('S3_BUCKET', text, 'Bucket in that store.'),
  s3AccessKeyId: optional('S3_ACCESS_KEY_ID', secretText, 'Access key of that store.'),
  s3SecretAccessKey: optional('S3_SECRET_ACCESS_KEY', secretText, 'Secret of that access key.'),

  // SMS and mail; without them messages go to the development outbox
  twilioAccountSid: optional('TWILIO_ACCOUNT_SID', secretText, 'Twilio account that sends SMS.'),
  twilioAuthToken: optional('TWILIO_AUTH_TOKEN', secretText, 'Token of that account.'),
  twilioFrom: optional('TWILIO_FROM', text, 'Sender of the SMS.'),
  smsPerHour: setting(
    'SMS_PER_HOUR',
    wholeNumber(1, 1_000_000),
    '500',
    'SMS of all together; beyond, a proof of work is asked for, and beyond twice as many none is sent.',
  ),
  smsPerDay: setting('SMS_PER_DAY', wholeNumber(1, 10_000_000), '3000', 'The same of a day.'),
  smtpUrl: optional('SMTP_URL', secretAddress('smtps', 'smtp'), 'Server that sends mail.'),
  mailFrom: setting('MAIL_FROM', text, 'Nimo <nimo@localhost>', 'Sender of the mail.'),

  // Sign-in with accounts of others, by OpenID Connect; the callback address to register there is PUBLIC_URL/auth/oidc/first/callback (or second)
  oidcFirstLabel: setting('OIDC_FIRST_LABEL', text, 'Google', 'What the first sign-in button says.'),
  oidcFirstIssuer: optional('OIDC_FIRST_ISSUER', issuer, 'Provider behind the first sign-in button.'),
  oidcFirstClientId: optional('OIDC_FIRST_CLIENT_ID', text, 'Name of Nimo at that provider.'),
  oidcFirstClientSecret: optional('OIDC_FIRST_CLIENT_SECRET', secretText, 'Secret of Nimo at that provider.'),
  oidcFirstScope: setting(
    'OIDC_FIRST_SCOPE',
    openIdScope,
    'openid email profile',
    'What that provider is asked for; some tell groups only for a scope more.',
  ),
  oidcFirstGroupsClaim: setting(
    'OIDC_FIRST_GROUPS_CLAIM',
    text,
    'groups',
    'Claim in which that provider lists the groups of a person.',
  ),
  oidcSecondLabel: setting('OIDC_SECOND_LABEL', text, 'Facebook', 'What the second sign-in button says.'),
  oidcSecondIssuer: optional('OIDC_SECOND_ISSUER', issuer, 'Provider behind the second sign-in button.'),
  oidcSecondClientId: optional('OIDC_SECOND_CLIENT_ID', text, 'Name of Nimo at that provider.'),
  oidcSecondClientSecret: optional(
    'OIDC_SECOND_CLIENT_SECRET',
    secretText,
    'Secret of Nimo at that provider.',
  ),
  oidcSecondScope: setting(
    'OIDC_SECOND_SCOPE',
    openIdScope,
    'openid email profile',
    'What that provider is asked for; some tell groups only for a scope more.',
  ),
  oidcSecondGroupsClaim: setting(
    'OIDC_SECOND_GROUPS_CLAIM',
    text,
    'groups',
    'Claim in which that provider lists the groups of a person.',
  ),
} as const;

/** Settings that mean something only together. */
export const togetherOrNot: readonly (readonly (keyof typeof registry)[])[] = [
  ['termsVersion', 'termsFile'],
  ['typesenseUrl', 'typesenseApiKey'],
  ['s3Endpoint', 's3Bucket', 's3AccessKeyId', 's3SecretAccessKey'],
  ['twilioAccountSid', 'twilioAuthToken', 'twilioFrom'],
  ['oidcFirstIssuer', 'oidcFirstClientId', 'oidcFirstClientSecret'],
  ['oidcSecondIssuer', 'oidcSecondClientId', 'oidcSecondClientSecret'],
];
