import type { Settings } from './load-settings.js';
import { isLoopback } from './setting.js';
import { SettingsError } from './settings-error.js';

type Serving = Pick<
  Settings,
  'nodeEnv' | 'host' | 'publicUrl' | 'twilioAccountSid' | 'twilioAuthToken' | 'twilioFrom' | 'smtpUrl'
>;

/**
 * What has to hold before anybody is served; the command line does without. Codes and links are read by whoever they were sent to: in
 * production they leave by gateways, and the development outbox is seen on this machine alone.
 */
export function assertMayServe(settings: Serving): void {
  const { nodeEnv, host } = settings;
  if (nodeEnv === 'production') {
    requireSmsGateway(settings);
    requireMailServer(settings);
    requirePublicUrl(settings);
  } else if (!isLoopback(host)) {
    throw new SettingsError(
      `HOST must be an address of this machine alone (127.0.0.1, ::1, localhost) while NODE_ENV is ${nodeEnv}, not "${host}": /dev/outbox shows every code. Set NODE_ENV=production to be reached from elsewhere.`,
    );
  }
}

const NO_OUTBOX = 'because in production codes and links go to no outbox and no log';

export function requireSmsGateway({ twilioAccountSid, twilioAuthToken, twilioFrom }: Serving): void {
  if (twilioAccountSid === undefined || twilioAuthToken === undefined || twilioFrom === undefined)
    throw new SettingsError(
      `TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set, ${NO_OUTBOX}.`,
    );
}

export function requireMailServer({ smtpUrl }: Serving): void {
  if (smtpUrl === undefined) throw new SettingsError(`SMTP_URL must be set, ${NO_OUTBOX}.`);
}

/** Anybody can write any host into a request: it must not come to stand in what others and search engines read. */
function requirePublicUrl({ publicUrl }: Serving): void {
  if (publicUrl === undefined)
    throw new SettingsError(
      'PUBLIC_URL must be set, because in production no address is taken from requests: it is the one that people reach Nimo at.',
    );
}

/** Whether `/dev/outbox` is there: never in production, nor where others are told to come, nor where gateways send. */
export function hasOpenOutbox({ nodeEnv, host, publicUrl, twilioAccountSid, smtpUrl }: Serving): boolean {
  if (nodeEnv === 'production' || !isLoopback(host)) return false;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return false;
  return twilioAccountSid === undefined || smtpUrl === undefined;
}
