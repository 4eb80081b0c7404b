/** Short messages at the edge of the window. */
import { createStore } from '../browser/store.ts'

export interface Message {
  readonly id: number
  readonly text: string
  readonly kind: 'success' | 'error'
  readonly action?: ToastAction | undefined
}
export interface ToastAction {
  readonly title: string
  readonly onPress: () => void
}
/** Errors stay until they are closed. */
const SHOWN_MS = 5000
/** Time to decide. */
const SHOWN_WITH_ACTION_MS = 12_000
export const messages = createStore<readonly Message[]>([])
let lastId = 0

export function toast(text: string, kind: Message['kind'] = 'success', action?: ToastAction): void {
  const id = ++lastId
  // The same deed, or the same failure, is said once.
  const others = messages.get().filter(message => message.text !== text || message.kind !== kind)
  messages.set([...others, { id, text, kind, action }])
  if (kind === 'success') setTimeout(() => close(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}

export const close = (id: number) => messages.set(messages.get().filter(message => message.id !== id))
