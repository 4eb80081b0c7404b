import test from 'ava'
import { type DeclaringRecipe, Type } from '../../../kernel/index.ts'
import { createAccess } from '../../../kernel/runtime/access.ts'
import { createProductContainer } from '../../../kernel/runtime/container.ts'
import { loadFactories } from '../../../kernel/runtime/factories.ts'
import { check, fake, finderOf, HEAD, platform, problemsOf } from './fixtures.ts'

const shop = fake({
  name: 'shop',
  sections: { goods: Type.Record(Type.String(), Type.Integer()) },
  permissions: { 'shop.good.order': 'Order goods' },
  roles: { 'tenant.buyer': { name: 'Buyer', permissions: ['shop.good.order'] } },
  declare({ sections: { goods = {} } }: DeclaringRecipe<{ goods: Record<string, number> }>) {
    const keys = Object.keys(goods).map(name => `shop.${name}.read`)
    return {
      permissions: Object.fromEntries(keys.map(key => [key, `Read ${key}`])),
      grants: { 'tenant.buyer': keys, 'tenant.clerk': keys },
    }
  },
})
const finder = finderOf(platform, shop)
const clerk = (permission: string) => `roles: { tenant.clerk: { name: Clerk, permissions: [${permission}] } }\n`

test('a module declares permissions that depend on the recipe, and grants them to roles', async t => {
  const text = `${HEAD}modules: { shop: {} }\ngoods: { apple: 1 }\n${clerk('shop.good.order')}`
  const { modules, roles } = await check(t, text, { finder })
  const container = createProductContainer({}, await Promise.all(modules.map(loadFactories)), () => undefined)
  const access = createAccess(
    modules.map(({ key }) => key),
    () => container,
    roles,
  )
  t.deepEqual(
    access.permissions().map(({ key }) => key),
    ['shop.good.order', 'shop.apple.read'],
  )
  const permissionsOf = (key: string) => access.roles().find(role => role.key === key)?.permissions
  t.deepEqual(permissionsOf('tenant.buyer'), ['shop.good.order', 'shop.apple.read'])
  t.deepEqual(permissionsOf('tenant.clerk'), ['shop.good.order', 'shop.apple.read'])
})

test('roles of the recipe may hold permissions that a module declares from the recipe', async t => {
  const known = `${HEAD}modules: { shop: {} }\ngoods: { apple: 1 }\n${clerk('shop.apple.read')}`
  t.deepEqual((await check(t, known, { finder })).warnings, [])
  const unknown = `${HEAD}modules: { shop: {} }\ngoods: { apple: 1 }\n${clerk('shop.pear.read')}`
  t.regex((await problemsOf(t, unknown, { finder })).join(), /Unknown permission "shop.pear.read"/)
})

test('a section that does not match its schema declares nothing', async t => {
  const problems = await problemsOf(t, `${HEAD}modules: { shop: {} }\ngoods: { apple: ripe }\n`, { finder })
  t.is(problems.length, 1, problems.join('\n'))
})
