/**
 * The phases of a request, each with a tracing channel of `node:diagnostics_channel` that telemetry subscribes to:
 * docs/observability.md. Without a subscriber, a phase costs a look at a flag.
 */
import { tracingChannel } from 'node:diagnostics_channel'
import { createWorkChannel } from '@larder-dev/larder/kernel/internal'
import type { RequestContext, TracedRequest } from './request-context.ts'

/** In their order. A request repeats `limits` and `validate`, and leaves out what it doesn't need. */
export const PHASES = [
  'limits',
  'tenant',
  'authenticate',
  'allow',
  'parse',
  'validate',
  'unit',
  'handle',
  'serialize',
  'send',
] as const
export type Phase = (typeof PHASES)[number]

/** Node adds `error` and `result`. */
export interface PhaseMessage {
  readonly request: TracedRequest
}

const whole = tracingChannel<unknown, PhaseMessage>('larder.http.request')
const channelOf = (phase: Phase) => createWorkChannel<PhaseMessage>(`larder.http.${phase}`)
const channels = Object.fromEntries(PHASES.map(phase => [phase, channelOf(phase)])) as Readonly<
  Record<Phase, ReturnType<typeof channelOf>>
>

/** `fail` responds to an error. */
export function traceRequest(
  ctx: RequestContext,
  work: () => Promise<void> | undefined,
  fail: (error: unknown) => void,
): void {
  if (whole.hasSubscribers)
    void whole.tracePromise(() => untilSent(ctx, work, fail), messageOf(ctx)).catch(() => undefined)
  else work()?.catch(fail)
}

/** Express, and what streams a response, write it after their handler. */
async function untilSent(
  { res }: RequestContext,
  work: () => Promise<void> | undefined,
  fail: (error: unknown) => void,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    fail(error)
    throw error
  }
  if (!res.writableEnded && !res.destroyed) await new Promise<void>(resolve => res.once('close', resolve))
}

export function tracePhase<T>(phase: Phase, ctx: RequestContext, work: () => Promise<T>): Promise<T> {
  const channel = channels[phase]
  return channel.isObserved() ? channel.promise(work, () => messageOf(ctx)) : work()
}

export function tracePhaseSync<T>(phase: Phase, ctx: RequestContext, work: () => T): T {
  const channel = channels[phase]
  return channel.isObserved() ? channel.sync(work, () => messageOf(ctx)) : work()
}

/** A message for each channel, because Node writes results to it. */
function messageOf(ctx: RequestContext): PhaseMessage {
  ctx.traced ??= describe(ctx)
  return { request: ctx.traced }
}

const describe = (ctx: RequestContext): TracedRequest => ({
  id: ctx.id,
  method: ctx.method,
  route: ctx.pattern,
  module: ctx.endpoint?.module,
  headers: ctx.headers,
  get status() {
    return ctx.res.statusCode
  },
})
