import test from 'ava'
import { Type, type ValidatedRecipe } from '../../../kernel/index.ts'
import { check, fake, finderOf, HEAD, platform, problemsOf } from './fixtures.ts'

const seen: ValidatedRecipe[] = []
const shop = fake({
  name: 'shop',
  options: Type.Object({ open: Type.Boolean({ default: true }) }),
  sections: { goods: Type.Object({ apple: Type.Optional(Type.Integer()) }) },
  validate(recipe: ValidatedRecipe<unknown, { goods: { apple?: number } }>) {
    seen.push(recipe)
    const { apple } = recipe.sections.goods ?? {}
    return apple === 13 ? [{ path: ['goods', 'apple'], message: '13 is not allowed', hint: 'write 12' }] : []
  },
})
const finder = finderOf(platform, shop)

test.serial('reports the problems that validate returns, with their locations', async t => {
  const problems = await problemsOf(t, `${HEAD}modules: { shop: {} }\ngoods:\n  apple: 13\n`, { finder })
  t.deepEqual(problems, ['recipe.yaml:5:10 13 is not allowed'])
})

test.serial('calls validate with defaults, folder, locales and public URL', async t => {
  seen.length = 0
  const { file } = await check(t, `${HEAD}modules: { shop: {} }\ngoods: { apple: 1 }\n`, { finder })
  t.like(seen[0], { options: { open: true }, sections: { goods: { apple: 1 } }, locales: { default: 'en' } })
  t.is(`${seen[0]?.folder}/recipe.yaml`, file)
  t.is(seen[0]?.publicUrl, 'http://localhost:8080')
})

test.serial('does not call validate if the schema already rejects the section', async t => {
  seen.length = 0
  const problems = await problemsOf(t, `${HEAD}modules: { shop: {} }\ngoods: { apple: x }\n`, { finder })
  t.is(problems.length, 1)
  t.deepEqual(seen, [])
})

test.serial('does not call validate if the extended recipe cannot be read', async t => {
  seen.length = 0
  const problems = await problemsOf(t, 'recipe: 1\nextends: ./gone.yaml\nmodules: { shop: {} }\n', { finder })
  t.deepEqual([problems.length, seen.length], [1, 0], problems.join('\n'))
})
