/** Short messages at the edge of the window, read aloud by screen readers. */
import { createStore, useStore } from '../data/store.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'

interface Message {
  readonly id: number
  readonly text: string
  readonly kind: 'success' | 'error'
}
/** Errors stay until they are closed. */
const SHOWN_MS = 5000
const messages = createStore<readonly Message[]>([])
let lastId = 0

export function toast(text: string, kind: Message['kind'] = 'success'): void {
  const id = ++lastId
  messages.set([...messages.get(), { id, text, kind }])
  if (kind === 'success') setTimeout(() => close(id), SHOWN_MS)
}

const close = (id: number) => messages.set(messages.get().filter(message => message.id !== id))

export function Toasts() {
  const t = useTexts()
  return (
    <section className="toasts" aria-live="polite" aria-label={t('notifications')}>
      {useStore(messages).map(({ id, text, kind }) => (
        <div key={id} className={`toast ${kind}`}>
          <Icon name={kind === 'error' ? 'circle-alert' : 'circle-check'} />
          <p>{text}</p>
          <Button kind="quiet" icon="x" label={t('close')} onPress={() => close(id)} />
        </div>
      ))}
    </section>
  )
}
