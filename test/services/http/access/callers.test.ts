import test from 'ava'
import type { Authentication, Credential } from '../../../../kernel/internal.ts'
import { createCallers } from '../../../../services/http/access/callers.ts'

const access = { permissions: () => [], roles: () => [] }
const clock = { at: 1_000_000, now: () => clock.at }
const bearer = (secret: string): Credential => ({ kind: 'bearer', secret })
const authentication = (userId: string, more: Partial<Authentication> = {}): Authentication => ({
  principal: { kind: 'login', id: `lgn_${userId}`, userId, homeTenantId: 'ten_a', expiresAt: null, permissions: null },
  membership: { tenantId: 'ten_a', memberId: 'mem_1', roles: [], permissions: [], platformPermissions: [] },
  precondition: () => ({ condition: 'true', values: [userId] }),
  ...more,
})

function callersOf(authenticate: (secret: string) => Authentication | null) {
  let count = 0
  const callers = createCallers({
    clock,
    access,
    operator: { tenantId: 'ten_operator' },
    authenticator: {
      authenticate: async ({ secret }) => {
        count++
        return authenticate(secret)
      },
    },
  })
  return { callers, count: () => count }
}

test('unknown credentials leave nothing behind', async t => {
  const { callers, count } = callersOf(() => null)
  for (let token = 0; token < 50_000; token++) await callers.findCached(bearer(`bad ${token}`), 'home')
  t.is(count(), 50_000)
  t.is(callers.size, 0)
})

test('keeps a bounded number of callers', async t => {
  const { callers } = callersOf(authentication)
  for (let token = 0; token < 25_000; token++) await callers.findCached(bearer(`token ${token}`), 'home')
  t.is(callers.size, 20_000)
})

test('a credential has an entry per tenant, and never the caller of another credential', async t => {
  const { callers, count } = callersOf(authentication)
  for (let round = 0; round < 2; round++)
    for (const secret of ['ada', 'bob', ' ada', 'ada home'])
      for (const tenant of ['home', 'none', { named: 'home' }, { named: 'none' }, { named: 'acme' }] as const) {
        const found = await callers.findCached(bearer(secret), tenant)
        t.is(found?.caller.userId, secret)
        t.deepEqual(found?.precondition?.values, round === 0 ? undefined : [secret])
      }
  t.is(count(), 20)
})

test('does not keep callers without a precondition, without the tenant they name, or past their time', async t => {
  for (const more of [{ precondition: undefined }, { membership: null }, { reusableUntil: clock.at }]) {
    const { callers, count } = callersOf(userId => authentication(userId, more))
    for (let round = 0; round < 3; round++)
      t.is((await callers.findCached(bearer('ada'), 'home'))?.precondition, undefined)
    t.is(count(), 3)
  }
})

test('a handler cannot change a cached caller', async t => {
  const { callers } = callersOf(authentication)
  const found = await callers.findCached(bearer('ada'), 'home')
  const caller = found?.caller as unknown as { userId: string; permissions: string[]; roles: string[] }
  t.throws(() => Object.assign(caller, { userId: 'bob' }))
  t.throws(() => caller.permissions.push('*'))
  t.throws(() => caller.roles.push('tenant.owner'))
})
