import test from 'ava'
import { createRedactor, maskedStrings, namedSecrets } from '../../bin/redactor.ts'

const redactor = (env: Record<string, string> = {}, variables: string[] = []) => createRedactor(env, variables)

test('replaces secret variables with their names, in keys, lists and texts', t => {
  const { apply } = redactor({ STRIPE_SECRET_KEY: 'sk_live_1234', TURN: 'turn-value', REGION: 'eu-central' }, ['TURN'])
  t.deepEqual(apply({ 'a sk_live_1234': ['turn-value', { region: 'eu-central', count: 3, none: null }] }), {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of the variable
    'a ${STRIPE_SECRET_KEY}': ['${TURN}', { region: 'eu-central', count: 3, none: null }],
  })
})

test('replaces each secret of a rotation', t => {
  const { apply } = redactor({ LARDER_SECRET: 'the newer secret,the older secret' })
  t.false(/newer|older/.test(apply('the older secret and the newer secret')))
})

test('replaces a secret that contains another one as a whole', t => {
  const made = redactor()
  made.add('abcdef')
  made.add('abcdefghi')
  t.is(made.apply('abcdefghi abcdef'), '*** ***')
})

test('replaces a secret inside JSON and URLs', t => {
  const secret = 'a "quoted"\nsecret/value'
  const { apply } = redactor({ API_TOKEN: secret })
  t.false(apply(JSON.stringify({ secret })).includes('quoted'))
  t.false(apply(`https://example.test/?t=${encodeURIComponent(secret)}`).includes('quoted'))
})

test('replaces a long secret that was cut', t => {
  const secret = 'x7'.repeat(50)
  const { apply } = redactor({ SIGNING_KEY: secret })
  t.is(apply(`not "${secret.slice(0, 59)}…"`), 'not "***…"')
  t.is(
    apply(`${secret.slice(0, 20)} is not cut, and ${secret.slice(0, 30)}… is`),
    `${secret.slice(0, 20)} is not cut, and ***… is`,
  )
})

test('replaces users and passwords of URLs', t => {
  const { apply } = redactor({ DATABASE_URL: 'postgres://ada:pass%20word@db.test/larder' })
  t.is(apply('postgres://ada:pass%20word@db.test/larder'), 'postgres://***@db.test/larder')
  t.is(apply('login failed for pass word'), 'login failed for ***')
  t.is(apply('smtp://someone:else@mail.test'), 'smtp://***@mail.test')
})

test('keeps values that are too short to be recognized', t => {
  t.is(redactor({ KEY: 'on' }).apply('one on two'), 'one on two')
})

test('finds the strings that were masked', t => {
  const original = {
    a: 'open',
    b: { secret: 'hidden' },
    c: ['x', 'hidden too'],
    url: 'smtp://u:word@host',
    keys: ['k1'],
  }
  const masked = { a: 'open', b: { secret: '***' }, c: ['x', '***'], url: 'smtp://***@host', keys: '***' }
  t.deepEqual(maskedStrings({ original, masked }), ['hidden', 'hidden too', 'word', 'word', 'u:word', 'u:word', 'k1'])
})

test('finds values at keys with the name of a secret', t => {
  const value = {
    apiKey: 'one',
    accessTokens: 'no',
    tokens: { accent: '#b4431f' },
    x: [{ password: ['two'] }],
    key: 'acme',
  }
  t.deepEqual(namedSecrets(value), ['one', 'two'])
})
