import { describe, expect, it } from '@jest/globals';
import { requireUserName } from '@nimo/domain';
import { fc } from '@nimo/testing';
import { userNameFrom } from './import-ids.js';

describe('userNameFrom', () => {
  it.each([
    ['Jez', 'Jez'],
    ["Gilles 'SO nous est hostile'", 'Gilles_SO_nous_est_hostile'],
    ['Gaëlle Œuvrard', 'Gaelle_Oeuvrard'],
    ['Łukasz Straße', 'Lukasz_Strasse'],
    ['Дмитрий', 'Dmitrii'],
    ['Σωκράτης', 'Sokratis'],
    ['__x__', 'x'],
    ['42', 'user_42'],
    ['日本語', 'user_7'],
    ['', 'user_7'],
  ])('turns %j into %j', (displayName, userName) => expect(userNameFrom(displayName, '7')).toBe(userName));

  it('returns a valid user name for any display name', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string(), (displayName, id) => {
        expect(() => requireUserName(userNameFrom(displayName, id))).not.toThrow();
      }),
    ));
});
