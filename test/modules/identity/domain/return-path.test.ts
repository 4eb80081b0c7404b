import test from 'ava'
import { safeReturnPath } from '../../../../modules/identity/domain/return-path.ts'

test('after signing in a person goes on to where they were', t => {
  t.is(safeReturnPath('/invitations/accept?token=a.1.b'), '/invitations/accept?token=a.1.b')
  t.is(safeReturnPath(undefined), '/account')
})

test('no address takes a person who signs in to another site', t => {
  for (const next of ['https://evil.test', '//evil.test', '/\\evil.test', '/\t/evil.test', 'javascript:alert(1)', ''])
    t.is(safeReturnPath(next), '/account', next)
})
