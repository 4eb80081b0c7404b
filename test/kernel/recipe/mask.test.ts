import test from 'ava'
import { maskOptions, maskRecipe } from '../../../kernel/recipe/mask.ts'
import { check, HEAD } from './fixtures.ts'

const recipe = (post: string) => `${HEAD}modules: { people: {}, post: { from: a, ${post} } }\n`

test('masks a write-only option, wherever it was set', async t => {
  const checked = await check(t, recipe('pin: hidden'))
  t.deepEqual(maskOptions(checked, 'post'), { from: 'a', pin: '***' })
  t.is((checked.modules[2]?.options as { pin: string } | undefined)?.pin, 'hidden')
})

test('masks a key from the environment, and shows one in the recipe', async t => {
  t.like(maskOptions(await check(t, recipe(`apiKey: "\${KEY}"`), { env: { KEY: 'k-123' } }), 'post'), { apiKey: '***' })
  t.like(maskOptions(await check(t, recipe('apiKey: public')), 'post'), { apiKey: 'public' })
})

test('masks the password in a URL', async t => {
  const checked = await check(t, recipe('url: "smtp://ada:pass@mail.test:587"'))
  t.like(maskOptions(checked, 'post'), { url: 'smtp://***@mail.test:587' })
})

test('masks every secret of the recipe', async t => {
  const checked = await check(
    t,
    {
      'recipe.yaml': `${HEAD}modules:\n  people: {}\n  post: { from: a, secret: hidden-1, apiKey: "\${KEY}" }\n  sla: { use: ./sla.js, options: { password: hidden-3 } }\n  gone: { use: ./gone.js, optional: true, options: { any: hidden-4 } }\n`,
      'sla.js': `import { defineModule, Type } from '@larder-dev/larder/kernel'\nexport default defineModule({ name: 'sla', options: Type.Object({ password: Type.String() }) })`,
    },
    { env: { KEY: 'hidden-2' } },
  )
  const shown = maskRecipe(checked)
  t.false(JSON.stringify(shown).includes('hidden'))
  t.like(shown, { product: { key: 'acme' }, modules: { post: { from: 'a', secret: '***' }, sla: { use: './sla.js' } } })
})

test('returns no options for an unknown module', async t => {
  t.is(maskOptions(await check(t, HEAD), 'post'), null)
})
