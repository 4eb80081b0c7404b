import test from 'ava'
import { pastedDomain, pastedIssuer } from '../../../../../../modules/identity/domain/pasted.ts'

for (const text of [
  'https://idp.example',
  ' https://idp.example\n',
  'https://idp.example\u200b',
  '\ufeffhttps://idp.example/.well-known/openid-configuration',
  'https://idp.example/.well-known/oauth-authorization-server/',
])
  test(`reads the issuer ${JSON.stringify(text)}`, t => {
    t.is(pastedIssuer(text), 'https://idp.example')
  })

for (const text of [
  'acme.test',
  ' acme.test ',
  'https://acme.test/',
  '@acme.test',
  'acme.test.',
  '\u200bacme.test\u00a0',
])
  test(`reads the domain ${JSON.stringify(text)}`, t => {
    t.is(pastedDomain(text), 'acme.test')
  })
