import test from 'ava'
import { newId } from '../../../../kernel/base/ids.ts'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { linkToken, linkUrl, readLinkToken } from '../../../../modules/identity/domain/links.ts'

const secrets = createSecrets(['the secret of this test, long enough'])
const id = newId('inv')

test('reads back the id and version of a link', t => {
  const token = linkToken(secrets, 'invitation', { id, version: 3 })
  t.deepEqual(readLinkToken(secrets, 'invitation', token), { id, version: 3 })
  const address = new URL(linkUrl('https://acme.test', secrets, 'invitation', { id, version: 3 }))
  t.is(address.origin + address.pathname, 'https://acme.test/invitations/accept')
  t.is(address.searchParams.get('token'), token)
})

test('rejects a link with another purpose, version, id or secret', t => {
  const token = linkToken(secrets, 'invitation', { id, version: 3 })
  const other = createSecrets(['the secret of another server, as long'])
  t.is(readLinkToken(secrets, 'password_reset', token), null)
  t.is(readLinkToken(other, 'invitation', token), null)
  t.is(readLinkToken(secrets, 'invitation', token.replace('.3.', '.4.')), null)
  t.is(readLinkToken(secrets, 'invitation', token.replace(id, newId('inv'))), null)
  t.is(readLinkToken(secrets, 'invitation', `${token}x`), null)
  t.is(readLinkToken(secrets, 'invitation', ''), null)
})
