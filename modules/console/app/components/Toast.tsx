/** Short messages at the edge of the window, read aloud by screen readers. */
import { createStore, useStore } from '../data/store.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface Message {
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
const messages = createStore<readonly Message[]>([])
let lastId = 0

export function toast(text: string, kind: Message['kind'] = 'success', action?: ToastAction): void {
  const id = ++lastId
  messages.set([...messages.get(), { id, text, kind, action }])
  if (kind === 'success') setTimeout(() => close(id), action ? SHOWN_WITH_ACTION_MS : SHOWN_MS)
}

const close = (id: number) => messages.set(messages.get().filter(message => message.id !== id))

export function Toasts() {
  const t = useTexts()
  return (
    <section className="toasts" aria-live="polite" aria-label={t('notifications')}>
      {useStore(messages).map(({ id, text, kind, action }) => (
        <div key={id} className={`toast ${kind}`}>
          <Icon name={kind === 'error' ? 'circle-alert' : 'circle-check'} />
          <p>{text}</p>
          {action && (
            <Button
              kind="quiet"
              onPress={() => {
                close(id)
                action.onPress()
              }}
            >
              {action.title}
            </Button>
          )}
          <Button kind="quiet" icon="x" label={t('close')} onPress={() => close(id)} />
        </div>
      ))}
    </section>
  )
}
