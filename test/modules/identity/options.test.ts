import test from 'ava'
import { packagesFor } from '../../../modules/identity/options.ts'

test('each way to sign in names the packages that it needs', t => {
  t.deepEqual(packagesFor({}), [])
  t.deepEqual(packagesFor({ signIn: { enterprise: {} } }), ['@node-saml/node-saml', 'openid-client'])
  t.deepEqual(packagesFor({ signIn: { secondFactor: { totp: true } } }), ['otpauth', 'qrcode'])
})
