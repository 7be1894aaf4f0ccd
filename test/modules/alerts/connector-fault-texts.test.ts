import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alerts as englishAlerts } from '../../../console/src/i18n/en/alerts.ts';
import { operator as english } from '../../../console/src/i18n/en/operator.ts';
import { alerts as hebrewAlerts } from '../../../console/src/i18n/he/alerts.ts';
import { operator as hebrew } from '../../../console/src/i18n/he/operator.ts';
import { faultReasons } from '../../../server/kit/connector-faults.ts';
import { connectorDown } from '../../../server/modules/alerts/conditions/connector-down.ts';

test('alerts and the console name the cause of a connector that is down by the same sentence', () => {
  for (const [page, shown, language] of [
    [english.network.problems, englishAlerts, 'en'],
    [hebrew.network.problems, hebrewAlerts, 'he'],
  ] as const) {
    for (const reason of faultReasons) {
      const alert = { connector: 'main', state: 'down', reason, detail: 'E_DETAIL' };
      for (const text of [shown.holds['connector-down'](alert), connectorDown.holds[language](alert)]) {
        assert.ok(text.includes(page[reason]), text);
        assert.ok(text.includes('E_DETAIL'), text);
      }
    }
    const sentences = Object.values(page);
    assert.equal(new Set(sentences).size, sentences.length, 'two causes have the same sentence');
  }
});
