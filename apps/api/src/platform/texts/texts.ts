import { createInstance } from 'i18next';
import type { Mail } from '../adapters/mail/mail-sender.js';
import type { Language } from './language.js';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import italian from './it.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };

interface Duration {
  readonly unit: 'minutes' | 'hours' | 'days';
  readonly count: number;
}

/** The variables of each mail. */
interface MailVariables {
  readonly confirmEmail: 'userName' | 'link' | 'duration';
  readonly alreadyRegistered: 'userName' | 'login' | 'reset';
  readonly resetPassword: 'userName' | 'link' | 'duration';
  readonly secondFactorAdded: 'userName';
  readonly secondFactorRemoved: 'userName';
  readonly recoveryCodeUsed: 'userName' | 'left';
  readonly secondFactorReset: 'userName' | 'reason';
  readonly passwordChanged: 'userName' | 'reset';
  readonly guardianConsent: 'userName' | 'spaceName' | 'age' | 'link' | 'duration';
  readonly entryJoined: 'userName' | 'spaceName';
  readonly entryMayJoin: 'userName' | 'spaceName';
  readonly entryRefused: 'userName' | 'spaceName';
  readonly newAddress: 'userName' | 'code' | 'duration';
  readonly addressTaken: 'userName';
  readonly confirmChange: 'userName' | 'code' | 'contact' | 'duration';
  readonly phoneChanged: 'userName';
  readonly emailChanged: 'userName';
}

interface SmsVariables {
  readonly code: 'code' | 'duration';
  readonly newNumber: 'code' | 'duration';
  readonly confirmChange: 'code' | 'contact';
  readonly phoneChanged: 'userName';
  readonly emailChanged: 'userName';
}

type Values<Variable extends string> = Readonly<Record<Variable, string | number | Duration>>;

const i18n = createInstance({
  resources: Object.fromEntries(
    Object.entries({ de, en, es, it: italian, ru }).map(([language, texts]) => [
      language,
      { translation: texts },
    ]),
  ),
  fallbackLng: 'en',
  initAsync: false,
  // Escaping is for the page that embeds a text; mails and SMS are plain.
  interpolation: { escapeValue: false },
  joinArrays: '\n\n',
});
void i18n.init();

function fill(language: Language, key: string, values: Values<string>): string {
  const t = i18n.getFixedT(language);
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? t(`duration.${value.unit}`, { count: value.count }) : value,
  ]);
  return t(key, Object.fromEntries(shown) as Record<string, string | number>);
}

export type OwnDataSection = keyof typeof en.ownData.sections;

export const ownDataText = (
  language: Language,
  key: Exclude<keyof typeof en.ownData, 'sections'> | `sections.${OwnDataSection}`,
  values: Readonly<Record<string, string>> = {},
): string => fill(language, `ownData.${key}`, values);

export const mailText = <Name extends keyof MailVariables>(
  language: Language,
  name: Name,
  values: Values<MailVariables[Name]>,
): Omit<Mail, 'to'> => ({
  subject: fill(language, `mail.${name}.subject`, values),
  text: fill(language, `mail.${name}.text`, values),
});

export const smsText = <Name extends keyof SmsVariables>(
  language: Language | undefined,
  name: Name,
  values: Values<SmsVariables[Name]>,
): string => fill(language ?? 'en', `sms.${name}`, values);
