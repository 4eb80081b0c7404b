/** Live updates: topics of `/v1/realtime`, with the cookie of the signed-in person. */
import { useEffect, useRef } from 'react'
import { connectTopics } from '../../../../bin/client/runtime/topics.ts'
import { workspace } from '../browser/document.ts'

/** One socket for all topics. It is open while a screen follows one. */
const topics = workspace && connectTopics({ tenant: workspace.id })

/**
 * Calls `onChange` for each message, and when messages may have been missed: after each subscription and after a gap.
 * Without a connection, it retries.
 */
export function useTopic(topic: string, onChange: () => void): void {
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const change = () => latest.current()
    const subscription = topics?.subscribe(topic, {}, change, { onActive: change, onGap: change })
    return () => subscription?.close()
  }, [topic])
}
