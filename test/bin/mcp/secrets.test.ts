/** No reply contains a secret of the environment, of the recipe or of the data folder. */

import test from 'ava'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { connect, createFolder, RECIPE } from './fixtures.ts'

const ENV = {
  LARDER_SECRET: 'zq-first-server-secret-0123456789abcdef,zq-older-server-secret-0123456789abcdef',
  DATABASE_URL: 'postgres://larder:zq-database-word@127.0.0.1:1/larder',
  STRIPE_KEY: 'zq-stripe-live-0123456789',
  SMTP_URL: 'smtp://mailer:zq-mail%2Fword@mail.test:587',
  HARMLESS: 'zq-value-that-only-the-recipe-names',
  SIGNING_TOKEN: `zq-${'long'.repeat(40)}`,
  PEM_PRIVATE: '-----BEGIN KEY-----\nzq-"line" one\nzq-line two\n-----END KEY-----',
}
const LITERALS = ['zq-literal-secret', 'zq-literal-token']
/** Every secret contains it, and nothing else does. */
const MARK = /zq-/i

const VARIABLES = Object.keys(ENV).map(name => `\${${name}}`)

const SECRETIVE = `recipe: 1
product: { key: acme, name: "Acme \${HARMLESS}", publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { from: "Acme <hello@acme.test>", smtp: { url: "\${SMTP_URL}" } }
  billing: { defaultPlan: free, stripe: { secretKey: "\${STRIPE_KEY}", webhookSecret: ${LITERALS[0]} } }
  sessions: { turn: { urls: "turn:turn.test", secret: ${LITERALS[0]} } }
  parcels: { use: ./parcels, options: { apiToken: ${LITERALS[1]}, note: "\${SIGNING_TOKEN}", pem: "\${PEM_PRIVATE}" } }
plans: { free: { name: Free, price: 0, currency: EUR, entitlements: {} } }
`
const PARCELS = `
import { defineModule, Type } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'parcels', options: Type.Object({ apiToken: Type.String(), note: Type.String(), pem: Type.String() }) })
`
const FILES = {
  'recipe.yaml': SECRETIVE,
  'parcels/module.js': PARCELS,
  '.larder/secret': 'zq-secret-of-the-data-folder-0123456789',
}

test('no tool and no resource shows a secret', async t => {
  const { call, client } = await connect(t, FILES, ENV)
  for (const { name } of (await client.listTools()).tools) t.notRegex((await call(name)).text, MARK, name)
  for (const { uri } of (await client.listResources()).resources) {
    const { contents } = await client.readResource({ uri })
    t.notRegex(JSON.stringify(contents), MARK, uri)
  }
})

test('finds the secret of a data folder whose variable has quotes and a line break', async t => {
  const data = createFolder(t, { secret: 'zq-secret-of-another-folder-0123456789' })
  const draft = SECRETIVE.replace('name: Free', 'name: zq-secret-of-another-folder-0123456789')
  const { call } = await connect(t, { ...FILES, 'recipe.yaml': draft }, { ...ENV, LARDER_DATA: `"${data}"\n` })
  t.notRegex((await call('get_recipe')).text, MARK)
})

test('the recipe is shown, with the names of the variables', async t => {
  const { call } = await connect(t, FILES, ENV)
  const { text, failed } = await call('get_recipe')
  t.false(failed, text)
  t.regex(text, /name: Acme \$\{HARMLESS\}/)
  t.regex(text, /apiToken: "\*\*\*"/)
})

const anywhere = fc.oneof(
  fc.constantFrom(...VARIABLES, ...LITERALS),
  fc
    .tuple(fc.constantFrom('', 'x', 'http://', 'a.', '"', '#'), fc.constantFrom(...VARIABLES))
    .map(parts => parts.join('')),
)
const KEYS = [
  'product',
  'key',
  'name',
  'publicUrl',
  'modules',
  'identity',
  'comms',
  'from',
  'smtp',
  'url',
  'roles',
  'theme',
  'use',
  'locales',
  'default',
  'tokens',
  'secret',
  'apiKey',
  'extends',
  'include',
  'emails',
  'forms',
  'schema',
]

/** A recipe in which values and keys are replaced with secrets, or that has other keys. */
const drafts = fc
  .tuple(
    fc.dictionary(
      fc.oneof(fc.constantFrom(...KEYS), fc.constantFrom(...VARIABLES)),
      fc.oneof(
        anywhere,
        fc.array(anywhere, { maxLength: 2 }),
        fc.dictionary(
          fc.constantFrom(...KEYS),
          fc.oneof(anywhere, fc.integer(), fc.dictionary(fc.constantFrom(...KEYS), anywhere, { maxKeys: 3 })),
          { maxKeys: 4 },
        ),
      ),
      { maxKeys: 5 },
    ),
    fc.boolean(),
  )
  .map(([value, complete]) => (complete ? RECIPE : '') + stringify(value, { lineWidth: 0 }))

test('no diagnostic of a random draft shows a secret of the environment or the draft', async t => {
  const { call } = await connect(t, FILES, ENV)
  await fc.assert(
    fc.asyncProperty(drafts, async text => {
      const reply = await call('check_recipe', { text })
      t.notRegex(withoutLiterals(reply.text), MARK, `${text}\n---\n${reply.text}`)
    }),
    { numRuns: 100 },
  )
})

/** The assistant wrote the literals of a draft itself. */
const withoutLiterals = (text: string): string => LITERALS.reduce((rest, literal) => rest.replaceAll(literal, ''), text)

test('no reply to random arguments shows a secret', async t => {
  const { call, client } = await connect(t, FILES, ENV)
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name).filter(name => name !== 'plan_recipe')
  const argument = fc.oneof(
    anywhere,
    fc.constantFrom(
      'identity',
      'http',
      'GET',
      '/v1/me',
      'modules.parcels',
      'recipe',
      'parcels/module.js',
      '.larder/secret',
      '../recipe.yaml',
    ),
    fc.string(),
  )
  const args = fc.dictionary(
    fc.constantFrom('file', 'text', 'part', 'module', 'search', 'method', 'path', 'type', 'query', 'page'),
    argument,
    { maxKeys: 3 },
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), args, async (name, given) => {
      t.notRegex(withoutLiterals((await call(name, given)).text), MARK, `${name} ${JSON.stringify(given)}`)
    }),
    { numRuns: 30 },
  )
})
