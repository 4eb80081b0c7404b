/** What tests and the module share. The kernel imports the files of a module once more than a test does. */

interface State {
  /** What actions with outside effects were called with, in the order of the calls. */
  readonly calls: { readonly key: string; readonly text: string; readonly attempt: number }[]
  /** Text → number of attempts that fail. */
  readonly failures: Map<string, number>
  /** Text → what an action with outside effects waits for. */
  readonly holds: Map<string, Promise<void>>
}
declare global {
  var deskState: State | undefined
}

globalThis.deskState ??= { calls: [], failures: new Map(), holds: new Map() }
export const { calls, failures, holds } = globalThis.deskState

export function failIfAsked(text: string): void {
  const left = failures.get(text) ?? 0
  if (left === 0) return
  failures.set(text, left - 1)
  throw new Error(`asked to fail: ${text}`)
}
