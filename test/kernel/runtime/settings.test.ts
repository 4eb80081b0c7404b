import test from 'ava'
import { readSettings } from '../../../bin/composition.ts'
import { SettingsError } from '../../../kernel/index.ts'

test('defaults to the embedded database', t => {
  const settings = readSettings({}, '/srv/shop')
  t.is(settings.port, 8080)
  t.is(settings.host, '127.0.0.1')
  t.is(settings.dataDir, '/srv/shop/.larder')
  t.is(settings.databaseUrl, undefined)
  t.is(settings.trustProxy, 0)
  t.true(settings.rateLimits)
})

test('reports every invalid variable at once', t => {
  const error = t.throws(
    () =>
      readSettings({
        PORT: '80000',
        TRUST_PROXY: 'yes',
        RATE_LIMITS: 'no',
        DATABASE_URL: 'mysql://x',
        PUBLIC_URL: 'example',
        JOBS_BACKEND: 'redis',
        LARDER_SECRET: 'short',
      }),
    { instanceOf: SettingsError },
  )
  const text = error.problems.join('\n')
  for (const name of [
    'PORT',
    'TRUST_PROXY',
    'RATE_LIMITS',
    'DATABASE_URL',
    'PUBLIC_URL',
    'JOBS_BACKEND',
    'LARDER_SECRET',
  ])
    t.regex(text, new RegExp(name))
  t.is(error.problems.length, 7)
})

test('requires LARDER_SECRET with DATABASE_URL', t => {
  t.throws(() => readSettings({ DATABASE_URL: 'postgres://localhost/x' }), { message: /LARDER_SECRET is required/ })
})

test('accepts two secrets during a rotation, newest first', t => {
  const settings = readSettings({ LARDER_SECRET: `${'n'.repeat(32)},${'o'.repeat(32)}` })
  t.deepEqual(settings.secrets, ['n'.repeat(32), 'o'.repeat(32)])
})

test('removes the trailing slash of the public URL', t => {
  t.is(readSettings({ PUBLIC_URL: 'https://acme.test/' }).publicUrl, 'https://acme.test')
})
