import type { Settings } from './load-settings.js';
import { isLoopback } from './setting.js';
import { SettingsError } from './settings-error.js';

type ServingSettings = Pick<
  Settings,
  'nodeEnv' | 'host' | 'publicUrl' | 'twilioAccountSid' | 'twilioAuthToken' | 'twilioFrom' | 'smtpUrl'
>;

/**
 * Checks settings before serving; the CLI skips this. In production, codes and links go out by gateways; the development outbox, which shows
 * them, is reachable only from this machine.
 */
export function assertMayServe(settings: ServingSettings): void {
  const { nodeEnv, host } = settings;
  if (nodeEnv === 'production') {
    requireSmsGateway(settings);
    requireMailServer(settings);
    requirePublicUrl(settings);
  } else if (!isLoopback(host)) {
    throw new SettingsError(
      `HOST must be a loopback address (127.0.0.1, ::1, localhost) while NODE_ENV is ${nodeEnv}, not "${host}": /dev/outbox shows every code. Set NODE_ENV=production to accept other hosts.`,
    );
  }
}

const BECAUSE_NO_OUTBOX = 'because in production codes and links are never written to the outbox or the log';

export function requireSmsGateway({ twilioAccountSid, twilioAuthToken, twilioFrom }: ServingSettings): void {
  if (twilioAccountSid === undefined || twilioAuthToken === undefined || twilioFrom === undefined)
    throw new SettingsError(
      `TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set, ${BECAUSE_NO_OUTBOX}.`,
    );
}

export function requireMailServer({ smtpUrl }: ServingSettings): void {
  if (smtpUrl === undefined) throw new SettingsError(`SMTP_URL must be set, ${BECAUSE_NO_OUTBOX}.`);
}

/** The Host header can be forged and must not end up in pages, mails and search engines. */
function requirePublicUrl({ publicUrl }: ServingSettings): void {
  if (publicUrl === undefined)
    throw new SettingsError(
      'PUBLIC_URL must be set, because in production the public URL is not taken from requests.',
    );
}

/** Whether `/dev/outbox` is served: never in production, at a public URL, or with gateways configured. */
export function hasOpenOutbox({
  nodeEnv,
  host,
  publicUrl,
  twilioAccountSid,
  smtpUrl,
}: ServingSettings): boolean {
  if (nodeEnv === 'production' || !isLoopback(host)) return false;
  if (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname)) return false;
  return twilioAccountSid === undefined || smtpUrl === undefined;
}
