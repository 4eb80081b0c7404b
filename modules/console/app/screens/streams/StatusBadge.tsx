import { StateBadge } from '../../components/Badge.tsx'
import type { Session, Stream } from '../../data/api-types.ts'
import type { Resource } from '../../data/resources.ts'

interface Props {
  readonly resource: Resource
  readonly session: Pick<Session, 'status'> & Partial<Pick<Stream, 'live_status'>>
}

/** `Live` while a stream is broadcast, otherwise the state of its session. */
export const StatusBadge = ({ resource: { states }, session: { status, live_status: live } }: Props) =>
  live === 'live' || live === 'reconnecting' ? (
    <StateBadge states={states.live_status} value={live} />
  ) : (
    <StateBadge states={states.status} value={status} />
  )
