import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alerts as englishAlerts } from '../../../console/src/pages/alerts/texts.en.ts';
import { alerts as hebrewAlerts } from '../../../console/src/pages/alerts/texts.he.ts';
import { operator as english } from '../../../console/src/pages/operator/texts.en.ts';
import { operator as hebrew } from '../../../console/src/pages/operator/texts.he.ts';
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
