import test from 'ava'
import fc from 'fast-check'
import { covers } from '../../../../../kernel/base/permissions.ts'
import { withPeople } from '../../../../fixtures/with-people.ts'
import { colleague, identityRecipe, newEmail, role } from '../../fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

const PATTERNS = [
  '*',
  'identity.*',
  'identity.member.*',
  'identity.member.read',
  'identity.role.*',
  'identity.role.read',
]
const ADMIN = ['identity.member.*', 'identity.role.*', 'identity.invitation.*', 'identity.api_key.*']

test("a clerk can't grant anyone more permissions than the clerk has", async t => {
  const patterns = fc.uniqueArray(fc.constantFrom(...PATTERNS), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(patterns, patterns, patterns, async (held, wanted, other) => {
      const owner = await kernel.register(newEmail())
      const mine = [...new Set([...ADMIN, ...held])]
      await role(owner, 'team.clerk', mine)
      await role(owner, 'team.other', other)
      const clerk = await colleague(kernel, owner, ['team.clerk'])
      const pawn = await colleague(kernel, owner, ['tenant.member'])
      const within = wanted.every(pattern => mine.some(one => covers(one, pattern)))
      const made = await clerk.post('/v1/identity/roles', { key: 'team.new', name: 'New', permissions: wanted })
      t.is(made.status, within ? 201 : 403)
      await clerk.patch('/v1/identity/roles/team.other', { permissions: [...new Set([...other, ...wanted])] })
      await clerk.patch(`/v1/identity/members/${pawn.memberId}`, { roles: ['tenant.member', 'team.other'] })
      await clerk.patch(`/v1/identity/members/${clerk.memberId}`, { roles: ['team.clerk', 'team.other'] })
      await clerk.post('/v1/identity/api-keys', { name: 'Key', permissions: wanted })
      for (const one of [clerk, pawn]) {
        const { body } = await one.get('/v1/me')
        const before = one === pawn ? [...mine, 'content.page.read'] : mine
        t.deepEqual(
          body.permissions.filter(pattern => !before.some(own => covers(own, pattern))),
          [],
        )
      }
      const keys = await owner.get('/v1/identity/api-keys')
      for (const key of keys.body.data.filter(({ createdBy }) => createdBy === clerk.person.userId))
        t.true((key.permissions ?? []).every(pattern => mine.some(own => covers(own, pattern))))
    }),
    { numRuns: Number(process.env.LARDER_RUNS ?? 6) },
  )
})
