/** Fixtures of the session tests. */
import { type Person, startTestKernel, type TestKernel, type TestKernelOptions } from '../../../testing/index.ts'
import type { CreatedSession as Created, Session as SessionBody } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'

export type { Created, SessionBody }

export interface ProblemBody {
  readonly code: string
  readonly status: number
  readonly detail: string
  readonly errors?: { pointer: string; code: string; detail: string }[]
  readonly session?: { id: string; status: string }
  readonly requiredPermission?: string
}

/** A clock that only the test advances. */
export const manualClock = (at = Date.now()): TestClock => createTestClock({ at, runs: false })

export const ROLES = {
  'tenant.operator': { name: 'Operator', permissions: ['sessions.*'] },
  'tenant.reader': { name: 'Reader', permissions: ['sessions.session.read'] },
}

export const sessionsRecipe = (sessions: Readonly<Record<string, unknown>> = {}) => ({
  modules: { identity: {}, comms: {}, sessions },
  roles: ROLES,
})

export const startSessions = (
  sessions: Readonly<Record<string, unknown>> = {},
  options: Partial<TestKernelOptions> = {},
): Promise<TestKernel> => startTestKernel({ recipe: sessionsRecipe(sessions), ...options })

export async function create(person: Person, body: Readonly<Record<string, unknown>> = {}): Promise<Created> {
  const answer = await person.post('/v1/sessions', { mode: 'screenshare', ...body })
  if (answer.status !== 201)
    throw new Error(`creating a session returned ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
