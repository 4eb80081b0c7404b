/** Guesses passwords and signs in concurrently. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, startTestKernel, TEST_PASSWORD, type TestKernel } from '../../testing/index.ts'
import { codeOf, newEmail } from '../modules/identity/fixtures.ts'
import { runConcurrently } from './fixtures.ts'

const PROBE_INTERVAL_MS = 20
const RECIPE = { modules: { identity: {}, comms: {} } }

/** Starts kernels on one database with rate limits and one trusted proxy. */
export async function startRateLimited(count: number): Promise<{ kernels: TestKernel[]; stop(): Promise<void> }> {
  const env = { RATE_LIMITS: 'on', TRUST_PROXY: '1' }
  const kernels: TestKernel[] = []
  for (let n = 0; n < count; n++)
    kernels.push(await startTestKernel({ recipe: RECIPE, role: 'web', env, database: kernels[0]?.databaseUrl }))
  return {
    kernels,
    async stop() {
      for (const kernel of kernels.reverse()) await kernel.stop()
    },
  }
}

export interface GuessResult {
  /** Responses by status and code. */
  readonly outcomes: Readonly<Record<string, number>>
}

export interface Guess {
  readonly email: string
  readonly address: string
}

/** Sends wrong passwords to the kernels in turn, each from its own IP address. */
export async function guessPasswords(kernels: readonly TestKernel[], guesses: readonly Guess[]): Promise<GuessResult> {
  const outcomes: Record<string, number> = {}
  await runConcurrently(guesses.length, 8, async n => {
    const { email, address } = guesses[n] as Guess
    const kernel = kernels[n % kernels.length] as TestKernel
    const client: Client = kernel.with({ 'x-forwarded-for': address })
    const result = codeOf(await client.post('/v1/auth/login', { email, password: `wrong ${n}` }))
    outcomes[result] = (outcomes[result] ?? 0) + 1
  })
  return { outcomes }
}

export interface ConcurrentSignInResult {
  readonly outcomes: Readonly<Record<string, number>>
  /** Responses of the health route during the sign-ins. */
  readonly health: Readonly<Record<string, number>>
  readonly healthMs: readonly number[]
  readonly loginMs: readonly number[]
}

/** Signs `logins` users in concurrently. At most 20 accounts share them. */
export async function signInConcurrently(kernel: TestKernel, logins: number): Promise<ConcurrentSignInResult> {
  const emails: string[] = []
  await runConcurrently(
    Math.min(logins, 20),
    8,
    async () => void emails.push((await kernel.register(newEmail('rush'))).email),
  )
  const outcomes: Record<string, number> = {}
  const health: Record<string, number> = {}
  const healthMs: number[] = []
  const loginMs: number[] = []
  const timed = async (times: number[], counts: Record<string, number>, send: () => Promise<string>) => {
    const started = performance.now()
    const result = await send()
    times.push(performance.now() - started)
    counts[result] = (counts[result] ?? 0) + 1
  }
  let running = true
  const probe = async () => {
    for (; running; await pause(PROBE_INTERVAL_MS))
      await timed(healthMs, health, async () => codeOf(await kernel.get('/v1/health')))
  }
  const probes = Promise.all([probe(), probe()])
  const login = (n: number) => ({ email: emails[n % emails.length], password: TEST_PASSWORD })
  await Promise.all(
    Array.from({ length: logins }, (_, n) =>
      timed(loginMs, outcomes, async () => codeOf(await kernel.post('/v1/auth/login', login(n)))),
    ),
  )
  running = false
  await probes
  return { outcomes, health, healthMs, loginMs }
}
