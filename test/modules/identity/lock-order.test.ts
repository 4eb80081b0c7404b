/** Changes that lock the same people in several workspaces wait for each other. A deadlock would end one of them with 503. */
import test, { type ExecutionContext } from 'ava'
import { newId } from '../../../kernel/base/ids.ts'
import { linkToken } from '../../../modules/identity/domain/links.ts'
import { type Person, TEST_PASSWORD, type TestResponse } from '../../../testing/index.ts'
import { waitFor } from '../../fixtures/wait.ts'
import { withPeople } from '../../fixtures/with-people.ts'
import { connectAsOwner } from '../../reliability/fixtures.ts'
import { codeOf, identityRecipe, inviteLink, newEmail } from './fixtures.ts'

const { kernel } = withPeople(test, { recipe: identityRecipe() })

type Call = () => Promise<TestResponse<unknown>>

const system = () => kernel.kernel.ports.systemDatabase.acrossTenants('a test lets two changes meet')

/**
 * Starts the calls one after the other while each user is locked by a transaction of its own, so that each call waits with
 * the locks that it has until then. Frees the users in this order, each when all calls wait again. Returns the answers.
 */
async function meet(t: ExecutionContext, userIds: readonly string[], calls: readonly Call[]): Promise<string[]> {
  const owner = connectAsOwner(kernel.databaseUrl)
  t.teardown(() => owner.end())
  const running: ReturnType<Call>[] = []
  const allWait = () =>
    waitFor(
      () =>
        owner.value(
          `select count(*) from pg_stat_activity
           where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
        ),
      count => count >= running.length,
    )
  const holders: { readonly free: () => void; readonly freed: Promise<void> }[] = []
  for (const userId of userIds) holders.push(await holdUser(userId))
  for (const call of calls) {
    running.push(call())
    await allWait()
  }
  for (const { free, freed } of holders) {
    await allWait()
    free()
    await freed
  }
  return (await Promise.all(running)).map(answer => codeOf(answer))
}

/** Locks the user until `free` is called. */
const holdUser = (userId: string) =>
  new Promise<{ readonly free: () => void; readonly freed: Promise<void> }>((held, failed) => {
    const freed = system().transaction(async holder => {
      await holder.query('select from identity_users where id = $1 for update', [userId])
      await new Promise<void>(free => held({ free, freed: Promise.resolve().then(() => freed) }))
    })
    freed.catch(failed)
  })

/** A workspace of the first person, which the others join in this order as owners. */
async function workspaceOf(first: Person, ...others: readonly Person[]): Promise<string> {
  const { body } = await first.post('/v1/identity/tenants', { name: 'Shared' })
  for (const other of others) {
    const token = await inviteLink(first.with({ 'x-tenant-id': body.id }), other.email, ['tenant.owner'])
    await other.post('/v1/identity/invitations/accept', { token })
  }
  return body.id
}
const memberIn = async (tenantId: string, { userId }: Person): Promise<string> => {
  const { rows } = await system().query<{ id: string }>(
    'select id from identity_members where tenant_id = $1 and user_id = $2',
    [tenantId, userId],
  )
  return rows[0]?.id ?? ''
}
/** The ID of a new API key of the person. */
async function keyIn(tenantId: string, person: Person): Promise<string> {
  const made = await person
    .with({ 'x-tenant-id': tenantId })
    .post('/v1/identity/api-keys', { name: 'Export', permissions: ['identity.member.read'] })
  if (made.status !== 201) throw new Error(`the key was answered ${codeOf(made)}`)
  return made.body.id
}
/** The token in the email that proves the address of the person for the first time. */
async function proofOfAddress({ userId }: Person): Promise<string> {
  await system().query('update identity_users set email_verified_at = null where id = $1', [userId])
  return linkToken(kernel.kernel.ports.secrets, 'verify_email', { id: userId, version: 1 })
}
const twoPeople = async () => [await kernel.register(newEmail('one')), await kernel.register(newEmail('two'))] as const

test.serial('two people who give each other a workspace at once', async t => {
  const [one, two] = await twoPeople()
  const [first, second] = [await workspaceOf(one, two), await workspaceOf(two, one)]
  const transfer = (from: Person, tenantId: string, memberId: string) => () =>
    from.with({ 'x-tenant-id': tenantId }).post(`/v1/identity/tenants/${tenantId}/transfer`, { memberId })
  const [ofTwo, ofOne] = [await memberIn(first, two), await memberIn(second, one)]
  for (const [tenantId, memberId] of [
    [first, ofTwo],
    [second, ofOne],
  ] as const)
    await system().query('update identity_members set roles = $3 where tenant_id = $1 and id = $2', [
      tenantId,
      memberId,
      ['tenant.member'],
    ])
  const answers = await meet(t, [one.userId, two.userId], [transfer(one, first, ofTwo), transfer(two, second, ofOne)])
  t.deepEqual(answers, ['200', '200'])
})

test.serial('two workspaces of the same people are deleted at once', async t => {
  const [one, two] = await twoPeople()
  const [first, second] = [await workspaceOf(one, two), await workspaceOf(two, one)]
  const remove = (person: Person, tenantId: string) => () =>
    person.with({ 'x-tenant-id': tenantId }).delete(`/v1/identity/tenants/${tenantId}`)
  const answers = await meet(t, [one.userId, two.userId], [remove(one, first), remove(two, second)])
  t.deepEqual(answers, ['204', '204'])
})

test.serial('a workspace is deleted while two people give each other another one', async t => {
  const [one, two] = await twoPeople()
  const [first, second] = [await workspaceOf(two, one), await workspaceOf(one, two)]
  const memberId = await memberIn(second, two)
  const answers = await meet(
    t,
    [one.userId, two.userId],
    [
      () => two.with({ 'x-tenant-id': first }).delete(`/v1/identity/tenants/${first}`),
      () => one.with({ 'x-tenant-id': second }).post(`/v1/identity/tenants/${second}/transfer`, { memberId }),
    ],
  )
  t.deepEqual(answers, ['204', '200'])
})

test.serial('a person is removed from a workspace while the proof of their address ends their keys', async t => {
  const [one, two] = await twoPeople()
  const workspace = await workspaceOf(one, two)
  await keyIn(workspace, two)
  const token = await proofOfAddress(two)
  const memberId = await memberIn(workspace, two)
  const answers = await meet(
    t,
    [two.userId],
    [
      () => kernel.post('/v1/auth/verify-email', { token }),
      () => one.with({ 'x-tenant-id': workspace }).delete(`/v1/identity/members/${memberId}`),
    ],
  )
  t.deepEqual(answers, ['200', '204'])
})

test.serial('a person deletes their account while another browser confirms a change of its address', async t => {
  const [one, two] = await twoPeople()
  await workspaceOf(one, two)
  const [id, email] = [newId('emc'), newEmail('moved')]
  await system().query(
    `insert into identity_email_changes (id, user_id, email, email_key, current_confirmed_at, expires_at)
     values ($1, $2, $3, $3, now(), now() + interval '1 hour')`,
    [id, two.userId, email],
  )
  const token = linkToken(kernel.kernel.ports.secrets, 'email_change', { id, version: 2 })
  const [deletion, confirmation] = await meet(
    t,
    [two.userId],
    [
      () => two.post('/v1/auth/me/delete', { password: TEST_PASSWORD }),
      () => kernel.post('/v1/auth/email/confirm', { token, password: TEST_PASSWORD }),
    ],
  )
  t.is(deletion, '204')
  t.regex(confirmation ?? '', /^4/)
})

/** Changes an API key of a person while the call ends it. Returns the answers to the call and to the change. */
async function changeKeyDuring(
  t: ExecutionContext,
  callOf: (person: Person) => Call | Promise<Call>,
): Promise<string[]> {
  const [one, two] = await twoPeople()
  const workspace = await workspaceOf(one, two)
  const path = `/v1/identity/api-keys/${await keyIn(workspace, two)}`
  const change = () => one.with({ 'x-tenant-id': workspace }).patch(path, { permissions: [] })
  return meet(t, [two.userId], [await callOf(two), change])
}

test.serial('an API key of a person is changed while the proof of their address ends it', async t => {
  const answers = await changeKeyDuring(t, async person => {
    const token = await proofOfAddress(person)
    return () => kernel.post('/v1/auth/verify-email', { token })
  })
  t.deepEqual(answers, ['200', '404 not_found'])
})

test.serial('an API key of a person is changed while the deletion of their account ends it', async t => {
  const answers = await changeKeyDuring(
    t,
    person => () => person.post('/v1/auth/me/delete', { password: TEST_PASSWORD }),
  )
  t.deepEqual(answers, ['204', '404 not_found'])
})
