import { readFile } from 'node:fs/promises'
import test from 'ava'
import { parse } from 'yaml'
import { rejectionText } from '../../../modules/console/app/screens/media/rejections.ts'
import { REJECTION_CODES, rejection } from '../../../modules/media/domain/rejections.ts'

test('the console gives the reasons of the media module in German', async t => {
  const german = parse(await readFile('modules/media/locales/de.yaml', 'utf8')) as Record<string, string>
  const reasons = REJECTION_CODES.map(code => rejection(code))
  t.deepEqual(
    reasons.map(reason => rejectionText(reason, 'de')),
    reasons.map(({ detail }) => german[detail] ?? ''),
  )
})

test('the console gives the reason of the API in English and for an unknown code', t => {
  const unknown = { code: 'melted', detail: 'The disk melted.' }
  t.is(rejectionText(rejection('changed'), 'en'), 'The file changed during the check.')
  t.is(rejectionText(unknown, 'de'), 'The disk melted.')
})
