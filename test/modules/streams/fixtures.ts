/** Fixtures of the stream tests. */

import {
  type Person,
  startTestKernel,
  type TestKernel,
  type TestKernelOptions,
  type TestResponse,
} from '../../../testing/index.ts'
import type { CreatedStream as CreatedBody, Stream as StreamBody } from '../../fixtures/api-types.ts'
import { createTestClock, type TestClock } from '../../fixtures/clock.ts'

export type { CreatedBody, StreamBody }

export interface ProblemBody {
  readonly code: string
  readonly detail: string
  readonly errors?: { pointer: string; code: string }[]
  readonly requiredPermission?: string
}
export interface ListBody<T> {
  readonly data: T[]
  readonly next_cursor: string | null
}

export const EDGE_SECRET = 'the secret of the edge'
export const ROLES = {
  'tenant.operator': { name: 'Operator', permissions: ['sessions.*', 'streams.*'] },
  'tenant.reader': { name: 'Reader', permissions: ['streams.stream.read'] },
}

const EDGE = { edge: { secret: EDGE_SECRET } }
export const streamsRecipe = (streams: object = EDGE, modules: object = {}) => ({
  modules: { identity: {}, comms: {}, sessions: {}, streams, ...modules },
  roles: ROLES,
})

export function startStreams(
  streams?: Readonly<Record<string, unknown>>,
  options: Partial<TestKernelOptions> & { readonly modules?: Readonly<Record<string, unknown>> } = {},
): Promise<TestKernel> {
  const { modules, ...rest } = options
  return startTestKernel({ recipe: streamsRecipe(streams, modules), ...rest })
}

export async function create(person: Person, body: Readonly<Record<string, unknown>> = {}): Promise<CreatedBody> {
  return expectStatus(201, await person.post('/v1/streams', body))
}

export function expectStatus<B>(status: number, answer: TestResponse<B>): B {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** A clock that only the test advances. */
export const manualClock = (at = Date.now()): TestClock => createTestClock({ at, runs: false })
