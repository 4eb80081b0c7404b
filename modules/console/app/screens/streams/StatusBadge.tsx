import { StateBadge } from '../../components/Badge.tsx'
import type { Resource } from '../../data/resources.ts'
import type { SessionStatus } from './texts.ts'

interface Props {
  readonly resource: Resource
  readonly session: { readonly status: SessionStatus; readonly live_status?: string }
}

/** `Live` while a stream is broadcast, otherwise the state of its session. */
export const StatusBadge = ({ resource: { states }, session: { status, live_status: live } }: Props) =>
  live === 'live' || live === 'reconnecting' ? (
    <StateBadge states={states.live_status} value={live} />
  ) : (
    <StateBadge states={states.status} value={status} />
  )
