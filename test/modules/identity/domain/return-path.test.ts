import test from 'ava'
import { safeReturnPath } from '../../../../modules/identity/domain/return-path.ts'

test('returns to the requested path after signing in', t => {
  t.is(safeReturnPath('/invitations/accept?token=a.1.b'), '/invitations/accept?token=a.1.b')
  t.is(safeReturnPath(undefined), '/')
})

test('never redirects to another site after signing in', t => {
  for (const next of ['https://evil.test', '//evil.test', '/\\evil.test', '/\t/evil.test', 'javascript:alert(1)', ''])
    t.is(safeReturnPath(next), '/', next)
})
