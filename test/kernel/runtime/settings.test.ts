import test from 'ava'
import { readSettings } from '../../../bin/composition.ts'
import { SettingsError } from '../../../kernel/internal.ts'
import { fill } from '../../../kernel/recipe/variables.ts'

test('defaults to the embedded database', t => {
  const settings = readSettings({}, '/srv/shop')
  t.is(settings.port, 8080)
  t.is(settings.host, '127.0.0.1')
  t.is(settings.dataDir, '/srv/shop/.larder')
  t.is(settings.databaseUrl, undefined)
  t.is(settings.trustProxy, 0)
  t.true(settings.rateLimits)
})

test('a start applies what adds in production, and everything elsewhere', t => {
  t.is(readSettings({ NODE_ENV: 'production' }).apply, 'safe')
  t.is(readSettings({}).apply, 'all')
  t.is(readSettings({ NODE_ENV: 'production', LARDER_APPLY: 'never' }).apply, 'never')
})

test('reports every invalid variable at once', t => {
  const error = t.throws(
    () =>
      readSettings({
        PORT: '80000',
        METRICS_PORT: 'none',
        TRUST_PROXY: 'yes',
        RATE_LIMITS: 'no',
        DATABASE_URL: 'mysql://x',
        PUBLIC_URL: 'example',
        JOBS_BACKEND: 'redis',
        LARDER_APPLY: 'some',
        LARDER_SECRET: 'short',
      }),
    { instanceOf: SettingsError },
  )
  const text = error.problems.join('\n')
  for (const name of [
    'PORT',
    'METRICS_PORT must be',
    'TRUST_PROXY',
    'RATE_LIMITS',
    'DATABASE_URL',
    'PUBLIC_URL',
    'JOBS_BACKEND',
    "LARDER_APPLY must be one of safe, all, never, not 'some'",
    'LARDER_SECRET',
  ])
    t.regex(text, new RegExp(name))
  t.is(error.problems.length, 9)
})

for (const env of [{ PORT: '9000', METRICS_PORT: '9000' }, { METRICS_PORT: '8080' }])
  test(`refuses a METRICS_PORT that is also PORT, in ${JSON.stringify(env)}`, t => {
    t.throws(() => readSettings(env), {
      message: /METRICS_PORT must be another port than PORT, which is \d+: METRICS_PORT=9464/,
    })
  })

test('both ports can be free ones', t => {
  t.like(readSettings({ PORT: '0', METRICS_PORT: '0' }), { port: 0, metricsPort: 0 })
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

for (const [name, edges] of Object.entries({
  'a line end': ['', '\n'],
  'a line end of Windows': ['', '\r\n'],
  spaces: [' ', '\t '],
  'double quotes': ['"', '"'],
  'single quotes': ["'", "'"],
  'quotes and a line end': ['"', '"\n'],
  'a byte order mark': ['\ufeff', ''],
}))
  test(`reads every setting without ${name} around it`, t => {
    const clean = {
      LARDER_SECRET: 's'.repeat(32),
      DATABASE_URL: 'postgres://larder:pw@localhost/larder',
      DATABASE_APP_URL: 'postgres://app:pw@localhost/larder',
      PUBLIC_URL: 'https://shop.example',
      REDIS_URL: 'redis://localhost',
      METRICS_TOKEN: 'token-of-the-metrics',
      PORT: '81',
      BUS: 'redis',
      RATE_LIMITS: 'off',
    }
    const dirty = Object.fromEntries(
      Object.entries(clean).map(([key, value]) => [key, `${edges[0]}${value}${edges[1]}`]),
    )
    const { secrets, variables, ...settings } = readSettings(dirty)
    const { secrets: _, variables: expected, ...wanted } = readSettings(clean)
    t.deepEqual(settings, wanted)
    t.deepEqual(variables, expected)
    t.is(secrets[0], clean.LARDER_SECRET)
    t.is(
      fill(`\${EDGE_SECRET}`, { EDGE_SECRET: `${edges[0]}whsec_x${edges[1]}` }).text,
      'whsec_x',
      'a variable of the recipe too',
    )
  })

test('also accepts the secret of a start that kept the line end', t => {
  const secret = 's'.repeat(32)
  t.deepEqual(readSettings({ LARDER_SECRET: `${secret}\n` }).secrets, [secret, `${secret}\n`])
})

test('keeps quotes and spaces inside a value', t => {
  t.is(fill(`\${TEXT}`, { TEXT: `it's "quoted" here` }).text, `it's "quoted" here`)
  t.is(fill(`\${TEXT}`, { TEXT: `"a" and "b"` }).text, `"a" and "b"`)
})
