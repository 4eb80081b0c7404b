import { type Api, type Resource, StateBadge } from '../../public.ts'

interface Props {
  readonly resource: Resource
  readonly session: Pick<Api.Session, 'status'> & Partial<Pick<Api.Stream, 'live_status'>>
}

/** `Live` while a stream is broadcast, otherwise the state of its session. */
export const StatusBadge = ({ resource: { states }, session: { status, live_status: live } }: Props) =>
  live === 'live' || live === 'reconnecting' ? (
    <StateBadge states={states.live_status} value={live} />
  ) : (
    <StateBadge states={states.status} value={status} />
  )
