import { Badge } from '../../components/Badge.tsx'
import { type SessionStatus, useStreamTexts } from './texts.ts'

interface Props {
  readonly session: { readonly status: SessionStatus; readonly live_status?: string }
}

/** `Live` while a stream is broadcast, otherwise the state of its session. */
export function StatusBadge({ session: { status, live_status: live } }: Props) {
  const c = useStreamTexts()
  if (live === 'live') return <Badge text="live" label={c.live} />
  if (live === 'reconnecting') return <Badge text="retrying" label={c.reconnecting} />
  return <Badge text={status === 'created' ? 'pending' : status} label={c[status]} />
}
