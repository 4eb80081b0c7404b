import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useStore } from '../browser/store.ts'
import { onlineStore } from '../data/api.ts'
import { toast } from '../data/toasts.ts'
import { useTexts } from '../locales/index.ts'
import styles from './Banner.module.css'

const PROBE_MS = 2000

/** Shown while the server is away. Asks for its health until it answers, then loads what is on the screen again. */
export function ServerBanner() {
  const t = useTexts()
  const client = useQueryClient()
  const isOnline = useStore(onlineStore)
  const wasAway = useRef(false)
  useEffect(() => {
    if (isOnline) {
      if (wasAway.current) {
        toast(t('serverBack'))
        client.invalidateQueries()
      }
      wasAway.current = false
      return
    }
    wasAway.current = true
    const timer = setInterval(async () => {
      const isBack = await fetch('/v1/health', { cache: 'no-store' }).then(
        async response => {
          await response.body?.cancel()
          return response.ok
        },
        () => false,
      )
      if (isBack) onlineStore.set(true)
    }, PROBE_MS)
    return () => clearInterval(timer)
  }, [isOnline, client, t])
  if (isOnline) return null
  return (
    <div className={styles.banner} role="alert">
      <span className="spinner" aria-hidden="true" />
      {t('serverAway')}
    </div>
  )
}
