/** Requests at one process that race with changes of their rights at another. */
import type { Client, Person, TestKernel } from '../../testing/index.ts'
import { codeOf, colleague, role } from '../modules/identity/fixtures.ts'

const CLIENTS = 4

interface Change {
  readonly name: string
  readonly remote: Client
  readonly path: string
  apply(): Promise<{ readonly status: number }>
  /** What every later request must return. */
  readonly expected: string
}

export interface RaceResult {
  /** Requests that started after their change was acknowledged. */
  readonly requests: number
  readonly violations: readonly string[]
}

export interface RaceOptions {
  readonly first: TestKernel
  readonly second: TestKernel
  readonly owner: Person
  readonly rounds: number
}

/** Each round makes every kind of change once. */
export async function raceChanges({ first, second, owner, rounds }: RaceOptions): Promise<RaceResult> {
  const reader = await role(owner, `race.r${first.kernel.ports.clock.now()}`, ['identity.audit.read'])
  const member = await colleague(first, owner, [reader])
  const asMember = second.as(member.person.token, owner.tenantId)
  const setRoles = (roles: string[]) => owner.patch(`/v1/identity/members/${member.memberId}`, { roles })
  const setPermissions = (permissions: string[]) => owner.patch(`/v1/identity/roles/${reader}`, { permissions })
  const audit = { remote: asMember, path: '/v1/identity/audit' }
  const results: RaceResult[] = []
  for (let round = 0; round < rounds; round++) {
    const key = await owner.post<{ id: string; key: string }>('/v1/identity/api-keys', { name: `round ${round}` })
    const login = await first.post<{ token: string }>('/v1/auth/login', {
      email: member.person.email,
      password: member.person.password,
    })
    const changes: Change[] = [
      { ...audit, name: 'role removed', apply: () => setRoles(['tenant.member']), expected: '403 forbidden' },
      { ...audit, name: 'role added', apply: () => setRoles([reader]), expected: '200' },
      { ...audit, name: 'permission removed', apply: () => setPermissions([]), expected: '403 forbidden' },
      { ...audit, name: 'permission added', apply: () => setPermissions(['identity.audit.read']), expected: '200' },
      {
        name: 'key deleted',
        remote: second.as(key.body.key),
        path: '/v1/identity/roles',
        apply: () => owner.delete(`/v1/identity/api-keys/${key.body.id}`),
        expected: '401 unauthenticated',
      },
      {
        name: 'login ended',
        remote: second.as(login.body.token),
        path: '/v1/me',
        apply: () => first.as(login.body.token).post('/v1/auth/logout'),
        expected: '401 unauthenticated',
      },
    ]
    for (const change of changes) results.push(await race(change))
  }
  return {
    requests: results.reduce((sum, { requests }) => sum + requests, 0),
    violations: results.flatMap(({ violations }) => violations),
  }
}

async function race({ name, remote, path, apply, expected }: Change): Promise<RaceResult> {
  let acknowledged = false
  let requests = 0
  const violations: string[] = []
  const send = async () => {
    for (let after = 0; after < 2; ) {
      const startedAfter = acknowledged
      const actual = codeOf(await remote.get(path))
      if (!startedAfter) continue
      after++
      requests++
      if (actual !== expected) violations.push(`${name}: ${actual}`)
    }
  }
  await remote.get(path)
  const clients = Array.from({ length: CLIENTS }, send)
  const { status } = await apply()
  if (status >= 300) throw new Error(`${name} returned ${status}`)
  acknowledged = true
  await Promise.all(clients)
  return { requests, violations }
}
