import test from 'ava'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { Problem } from '../../../../kernel/index.ts'
import { rejectSignedLinks, signLinks, unsignedLinks } from '../../../../modules/comms/domain/mail-links.ts'

const secrets = createSecrets(['a secret that only tests may know of'])
const product = { publicUrl: 'https://acme.test' }
const link = { $link: { path: '/invitations/accept', purpose: 'invitation', id: 'inv_1', version: 2 } }

test('signs purpose, id and version of links anywhere in the data', t => {
  const { links, name } = signLinks({ links: [{ accept: link }], name: 'Ada' }, secrets, product)
  const [{ accept }] = links as [{ accept: string }]
  t.is(name, 'Ada')
  const address = new URL(accept)
  t.is(address.origin + address.pathname, 'https://acme.test/invitations/accept')
  const [id, version, signature = ''] = (address.searchParams.get('token') ?? '').split('.')
  t.deepEqual([id, version], ['inv_1', '2'])
  t.true(secrets.verify(signature, 'invitation', 'inv_1', '2'))
  t.false(secrets.verify(signature, 'invitation', 'inv_1', '3'))
  t.false(secrets.verify(signature, 'password-reset', 'inv_1', '2'))
})

test('replaces links with unsigned URLs', t => {
  t.deepEqual(unsignedLinks({ accept: link, n: null, list: [1] }, product), {
    accept: 'https://acme.test/invitations/accept',
    n: null,
    list: [1],
  })
})

test('throws on a path that leads to another host', t => {
  const evil = { $link: { ...link.$link, path: '.evil.test/x' } }
  t.throws(() => unsignedLinks({ evil }, product), { message: /must start with \// })
})

test('rejects links in API data at any depth', t => {
  for (const data of [link, { a: link }, { a: [{ b: { c: link } }] }, { a: { $other: 1 } }]) {
    const error = t.throws(() => rejectSignedLinks(data))
    t.true(Problem.is(error))
  }
  t.notThrows(() => rejectSignedLinks({ a: [{ price: '$5' }], b: null }))
})
