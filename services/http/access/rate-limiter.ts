/** Rate limits: points per window, counted in this process, or in the database for all processes (`shared`). */

import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import {
  API_LIMIT,
  addressKey,
  common,
  MINUTE,
  once,
  type Problem,
  type RateLimit,
  SECOND,
  type SystemDatabase,
  withHeaders,
} from '@larder-dev/larder/kernel/internal'
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { RequestContext } from '../request-context.ts'
import type { HttpOptions } from '../types.ts'
import { createProgressiveDelay, type ProgressiveDelay } from './progressive-delay.ts'

export type Consume = (ctx: RequestContext, key: string) => Promise<void>

/** The limits of one route, by the step that makes their key available. */
export interface RouteLimits {
  /** Counted before the credential is looked up. */
  readonly address: readonly Consume[]
  readonly principal: readonly Consume[]
  /** Counted after the body is validated. */
  readonly body: readonly ((
    ctx: RequestContext,
    body: unknown,
    params: Readonly<Record<string, string>>,
  ) => Promise<void>)[]
}

export interface Limits {
  of(limits: readonly RateLimit[] | undefined): RouteLimits
  /** The limit of a principal over all routes. Empty if limits are off. */
  readonly api: readonly Consume[]
  /** The limit of an address on anonymous requests with a body, over all routes without a limit by address. */
  readonly anonymous: readonly Consume[]
}

export type LimitsDeps = Pick<HttpOptions, 'settings' | 'systemDatabase' | 'rateLimits'>

const require = createRequire(import.meta.url)
/** Loaded with the first counted request. */
const library = once(() => require('rate-limiter-flexible') as typeof import('rate-limiter-flexible'))

export const ANONYMOUS_LIMIT: RateLimit = { name: 'anonymous', points: 300, window: MINUTE }

const NO_LIMITS: RouteLimits = { address: [], principal: [], body: [] }

export function createLimits({ settings, systemDatabase, rateLimits = {} }: LimitsDeps): Limits {
  const on = settings.rateLimits
  // Routes with a limit of the same name share its points.
  const known = new Map<string, Consume>()
  const consumeOf = (limit: RateLimit): Consume => {
    const consume = known.get(limit.name) ?? compile({ ...limit, ...rateLimits[limit.name] }, systemDatabase)
    known.set(limit.name, consume)
    return consume
  }
  return {
    api: on ? [consumeOf(API_LIMIT)] : [],
    anonymous: on ? [consumeOf(ANONYMOUS_LIMIT)] : [],
    of(limits) {
      if (!on || !limits || limits.length === 0) return NO_LIMITS
      const where = (by: string) => limits.filter(limit => (limit.by ?? 'ip') === by).map(consumeOf)
      return {
        address: where('ip'),
        principal: where('principal'),
        body: limits.flatMap(limit => {
          const { by } = limit
          if (typeof by !== 'function') return []
          const consume = consumeOf(limit)
          const counted = async (ctx: RequestContext, body: unknown, params: Readonly<Record<string, string>>) => {
            const key = by(body, ctx.ip, params, ctx.caller, ctx)
            if (key !== undefined) await consume(ctx, key)
          }
          return [counted]
        }),
      }
    },
  }
}

export async function consumeAll(ctx: RequestContext, limits: readonly Consume[], key: string): Promise<void> {
  for (const consume of limits) await consume(ctx, key)
}

export const addressOf = (ctx: RequestContext): string => addressKey(ctx.ip)

function compile(limit: RateLimit, systemDatabase: SystemDatabase): Consume {
  const options = { keyPrefix: limit.name, points: limit.points, duration: limit.window / SECOND }
  const made = once(() =>
    limit.shared ? sharedLimiter(options, systemDatabase) : new (library().RateLimiterMemory)(options),
  )
  const delay = limit.delays ? createProgressiveDelay(limit.window / limit.points, limit.window) : undefined
  return async (ctx, key) => {
    const { state, refused } = await consume(made(), limit.shared ? digest(key) : key)
    if (state.msBeforeNext > limit.window && limit.shared)
      await restartWindow(made(), digest(key), refused ? limit.points + 1 : state.consumedPoints, limit.window)
    const reset = Math.ceil(Math.min(state.msBeforeNext, limit.window) / SECOND)
    if (ctx.limit === undefined || state.remainingPoints < ctx.limit.remaining)
      ctx.limit = { limit: limit.points, remaining: state.remainingPoints, reset }
    if (refused && delay) await waitForTurn(delay, key)
    else if (refused) throw tooMany(reset)
    // The first attempt of a new window. Others were admitted before attempts were delayed.
    else if (state.consumedPoints === 1) delay?.reset(key)
  }
}

async function waitForTurn(delay: ProgressiveDelay, key: string): Promise<void> {
  const turn = delay.take(key, performance.now())
  if ('refused' in turn) throw tooMany(Math.ceil(turn.refused / SECOND))
  await pause(turn.wait)
}

/** The limiter rejects with its state when no points are left, and with an Error when its store is unavailable. */
async function consume(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ state: RateLimiterRes; refused: boolean }> {
  try {
    return { state: await limiter.consume(key), refused: false }
  } catch (refusal) {
    if (refusal instanceof library().RateLimiterRes) return { state: refusal, refused: true }
    throw refusal
  }
}

/**
 * The clock was set back, so that the window would end later than it can last. Windows of one process end by a timer,
 * which the clock doesn't change.
 */
async function restartWindow(limiter: RateLimiterAbstract, key: string, points: number, window: number): Promise<void> {
  if (limiter instanceof library().RateLimiterPostgres) limiter.deleteInMemoryBlockedAll()
  await limiter.set(key, points, window / SECOND)
}

const tooMany = (seconds: number): Problem =>
  withHeaders(common.rate_limited({ seconds }), { 'retry-after': String(seconds) })

/** Keys contain email addresses, so the table stores digests. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')

function sharedLimiter(
  options: { keyPrefix: string; points: number; duration: number },
  systemDatabase: SystemDatabase,
) {
  const client = {
    query: ({ text, values }: { text: string; values: readonly unknown[] }) =>
      systemDatabase
        .acrossTenants('attempts are counted by IP address and email before a tenant is known')
        .query(text, values),
  }
  return new (library().RateLimiterPostgres)({
    ...options,
    storeClient: client,
    storeType: 'client',
    tableName: 'larder_rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    // Requests past the limit cost no database statement.
    inMemoryBlockOnConsumed: options.points + 1,
  })
}
