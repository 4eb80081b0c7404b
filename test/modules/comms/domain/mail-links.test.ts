import test from 'ava'
import { createSecrets } from '../../../../kernel/base/secrets.ts'
import { Problem } from '../../../../kernel/index.ts'
import { refuseLinks, resolveLinks, unsignedLinks } from '../../../../modules/comms/domain/mail-links.ts'

const secrets = createSecrets(['a secret that only tests may know of'])
const product = { publicUrl: 'https://acme.test' }
const link = { $link: { path: '/invitations/accept', purpose: 'invitation', id: 'inv_1', version: 2 } }

test('a link is signed over its purpose, id and version, wherever it stands in the data', t => {
  const { links, name } = resolveLinks({ links: [{ accept: link }], name: 'Ada' }, secrets, product)
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

test('without a signature the same data still fills a template', t => {
  t.deepEqual(unsignedLinks({ accept: link, n: null, list: [1] }, product), {
    accept: 'https://acme.test/invitations/accept',
    n: null,
    list: [1],
  })
})

test('a path that leads to another host is a bug', t => {
  const evil = { $link: { ...link.$link, path: '.evil.test/x' } }
  t.throws(() => unsignedLinks({ evil }, product), { message: /must begin with \// })
})

test('who calls the API cannot have a link signed, however deep it lies', t => {
  for (const data of [link, { a: link }, { a: [{ b: { c: link } }] }, { a: { $other: 1 } }]) {
    const error = t.throws(() => refuseLinks(data))
    t.true(Problem.is(error))
  }
  t.notThrows(() => refuseLinks({ a: [{ price: '$5' }], b: null }))
})
