/** Short messages at the edge of the window, read aloud by screen readers. */
import { useStore } from '../browser/store.ts'
import { close, messages } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { MessageText } from './MessageText.tsx'
import styles from './Toast.module.css'

export function Toasts() {
  const t = useTexts()
  return (
    <section className={styles.toasts} aria-live="polite" aria-label={t('notifications')}>
      {useStore(messages).map(({ id, text, kind, action }) => (
        <div key={id} className={`${styles.toast} ${kind === 'error' ? styles.error : ''}`}>
          <Icon name={kind === 'error' ? 'circle-alert' : 'circle-check'} />
          <p>
            <MessageText text={text} />
          </p>
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
