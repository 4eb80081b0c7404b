import test from 'ava'
import type { AppliedRecipe } from '../../../kernel/runtime/plan/applied-recipe.ts'
import { compareRecipes } from '../../../kernel/runtime/plan/compare.ts'

const role = (permissions: string[], more: object = {}) => ({
  name: 'Support',
  scope: 'tenant' as const,
  from: 'recipe',
  permissions,
  ...more,
})
const applied = (more: Partial<AppliedRecipe> = {}): AppliedRecipe => ({
  modules: ['shop'],
  roles: { 'tenant.support': role(['shop.item.read', 'shop.item.sell']) },
  mails: { 'shop.hello': { from: 'shop', digest: 'a' } },
  ...more,
})
const changes = (after: AppliedRecipe, before = applied()) =>
  compareRecipes(before, after).map(({ change, of, subject, detail = '', breaks = '' }) =>
    [change, of, subject, detail, breaks].join(' | '),
  )

test('lists no changes for an equal recipe', t => {
  t.deepEqual(changes(applied()), [])
})

for (const [what, roles, line] of [
  [
    'lists a new role',
    { ...applied().roles, 'tenant.sales': role(['shop.item.sell']) },
    'add | recipe | role tenant.sales | shop.item.sell | ',
  ],
  [
    'lists a removed role as breaking',
    {},
    'remove | recipe | role tenant.support |  | users with this role lose its permissions: shop.item.read, shop.item.sell',
  ],
  [
    'lists added permissions of a role as not breaking',
    { 'tenant.support': role(['shop.item.read', 'shop.item.sell', 'shop.item.stop']) },
    'change | recipe | role tenant.support | + shop.item.stop | ',
  ],
  [
    'lists removed permissions of a role as breaking',
    { 'tenant.support': role(['shop.*', 'shop.item.read']) },
    'change | recipe | role tenant.support | + shop.*, − shop.item.sell | users with this role lose shop.item.sell',
  ],
  [
    'lists a changed name of a role',
    { 'tenant.support': { ...applied().roles['tenant.support'], name: 'Help' } as AppliedRecipe['roles'][string] },
    'change | recipe | role tenant.support | name Support → Help | ',
  ],
  [
    'lists a changed scope of a role with all its permissions',
    { 'tenant.support': role(['shop.item.read', 'shop.item.sell'], { scope: 'platform' }) },
    'change | recipe | role tenant.support | scope tenant → platform | users with this role lose shop.item.read, shop.item.sell',
  ],
] as const)
  test(what, t => {
    t.deepEqual(changes(applied({ roles })), [line])
  })

for (const [what, mails, line] of [
  [
    'lists a new mail template',
    { ...applied().mails, 'shop.bye': { from: 'recipe', digest: 'b' } },
    'add | recipe | mail template shop.bye |  | ',
  ],
  ['one that goes hurts who sends by it', {}, 'remove | shop | mail template shop.hello |  | emails that use it fail'],
  [
    'lists a mail template with changed content',
    { 'shop.hello': { from: 'shop', digest: 'b' } },
    'change | shop | mail template shop.hello | text | ',
  ],
  [
    'lists a mail template that the recipe replaces',
    { 'shop.hello': { from: 'recipe', digest: 'b' } },
    'change | recipe | mail template shop.hello | source shop → recipe | ',
  ],
] as const)
  test(what, t => {
    t.deepEqual(changes(applied({ mails })), [line])
  })

test('does not list roles and mail templates of a new module separately', t => {
  const after = applied({
    modules: ['news', 'shop'],
    roles: { ...applied().roles, 'tenant.writer': role(['news.*'], { from: 'news' }) },
    mails: { ...applied().mails, 'news.issue': { from: 'news', digest: 'n' } },
  })
  t.deepEqual(changes(after), [])
})

test('lists the roles of a removed module', t => {
  const before = applied({
    modules: ['news', 'shop'],
    roles: { ...applied().roles, 'tenant.writer': role(['news.*'], { from: 'news' }) },
    mails: { ...applied().mails, 'news.issue': { from: 'news', digest: 'n' } },
  })
  t.deepEqual(changes(applied(), before), [
    'remove | news | role tenant.writer |  | users with this role lose its permissions: news.*',
  ])
})
