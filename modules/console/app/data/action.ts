/** Changes that a button or a form starts. */
import { useState } from 'react'
import { messageOf } from './problem.ts'
import { type ToastAction, toast } from './toasts.ts'

interface Options {
  /** Runs after each success, for example to load the record again. The action is busy until it has finished. */
  readonly onDone?: () => unknown
  /** Receives what the work threw, and undefined when a run starts. Without it, a message shows the failure. */
  readonly onFailure?: (failure: unknown) => void
}
export interface Action {
  readonly isBusy: boolean
  /**
   * @param message shown after a success.
   * @returns the result; undefined if the work failed.
   */
  readonly run: <T>(work: () => Promise<T>, message?: string | ((result: T) => string)) => Promise<T | undefined>
}

/** @param action what may help. */
export const reportFailure = (failure: unknown, action?: ToastAction): void => {
  if (failure !== undefined) toast(messageOf(failure), 'error', action)
}

export function useAction({ onDone, onFailure = failure => reportFailure(failure) }: Options = {}): Action {
  const [isBusy, setBusy] = useState(false)
  const run: Action['run'] = async (work, message) => {
    setBusy(true)
    onFailure(undefined)
    try {
      const result = await work()
      if (message !== undefined) toast(typeof message === 'string' ? message : message(result))
      await onDone?.()
      return result
    } catch (failure) {
      onFailure(failure)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
