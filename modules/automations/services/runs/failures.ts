/** Why runs and steps fail, and when an attempt is repeated. Pure. */
import { common, Problem } from '@larder-dev/larder/kernel'
import type { ActionStep } from '../../domain/definition/automation.ts'
import { storableText } from '../../domain/values/stored.ts'

/** As `automations_runs.error` has it. */
export interface RunFailure {
  readonly code: string
  readonly detail: string
}

/** A failure that another attempt would repeat. */
export class StepRefused extends Error {
  readonly failure: RunFailure

  constructor(code: string, detail: string) {
    super(detail)
    this.name = 'StepRefused'
    this.failure = { code, detail }
  }
}

const MAX_DETAIL = 1000

export function failureOf(error: unknown): RunFailure {
  if (error instanceof StepRefused) return error.failure
  const detail = storableText((error instanceof Error ? error.message : String(error)).slice(0, MAX_DETAIL))
  return { code: Problem.is(error) ? error.code : 'action_failed', detail }
}

export const UNKNOWN_ACTION = 'unknown_action'

/**
 * A limit and an error of the server can be over with the next attempt, which a worker with a newer recipe may make. A
 * mistake, or a value that is taken, can't.
 */
export function isPermanent(error: unknown): boolean {
  if (error instanceof StepRefused) return error.failure.code !== UNKNOWN_ACTION
  if (!Problem.is(error) || error.code === common.idempotency_in_progress.code) return false
  return error.status < 500 && error.status !== 429
}

const FACTOR = 3

/** Milliseconds before the next attempt after `failed` ones; undefined after the last. The delays add up to `within`. */
export function delayAfter(failed: number, { times, within }: ActionStep['retry']): number | undefined {
  if (failed > times) return undefined
  const sum = (FACTOR ** times - 1) / (FACTOR - 1)
  return Math.ceil((within * FACTOR ** (failed - 1)) / sum)
}
